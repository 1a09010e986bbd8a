// How far a number depends on what the paper leaves open.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/evaluation.h"

namespace warpfork::experiment {

/// The number of a claim under each open choice, every time with one choice made in another way than the configurations
/// make it; of the first recordings.
struct Band {
  struct Point {
    double value = 0;
    std::string choice;  // empty: as the configurations are
  };

  Point own;                  // as the configurations are
  std::vector<Point> others;  // in the plan's order

  Point lowest() const;
  Point highest() const;
};

/// Nothing if the claim is not told as a band, there are no open choices, or a number is not there.
std::optional<Band> band_of(const config::ExperimentPlan& plan, const Totals& totals, const config::Figure& figure,
                            const config::Claim& claim);

}  // namespace warpfork::experiment
