// An experiment's numbers over all recordings of its programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/evaluation.h"

namespace warpfork::experiment {

/// A number of several recordings.
struct Spread {
  double mean = 0, least = 0, most = 0;
};

/// As many recordings as there are runs of; a program whose recordings do not differ has one, which stands for all.
/// Plan and totals must outlive it.
class Recordings {
 public:
  Recordings(const config::ExperimentPlan& plan, const Totals& totals);

  unsigned count() const { return static_cast<unsigned>(evaluations_.size()); }
  /// As of Evaluation; nothing if a recording has no such number.
  std::optional<Spread> value(const config::Quantity& quantity, const std::string& benchmark,
                              const std::string& configuration) const;
  std::optional<Spread> mean(const config::Figure& figure, const config::Quantity& quantity,
                             const std::string& configuration) const;
  std::optional<Spread> subject(const config::Figure& figure, const config::Claim& claim) const;
  /// Whether the claim holds of each recording; nothing if its numbers are not there.
  std::optional<bool> holds(const config::Figure& figure, const config::Claim& claim) const;

 private:
  template <class Read>
  std::optional<Spread> spread(Read&& read) const;

  std::vector<Evaluation> evaluations_;  // by recording
};

}  // namespace warpfork::experiment
