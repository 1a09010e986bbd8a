#include "experiment/band.h"

namespace warpfork::experiment {

Band::Point Band::lowest() const {
  Point lowest = own;
  for (const Point& other : others)
    if (other.value < lowest.value) lowest = other;
  return lowest;
}

Band::Point Band::highest() const {
  Point highest = own;
  for (const Point& other : others)
    if (other.value > highest.value) highest = other;
  return highest;
}

std::optional<Band> band_of(const config::ExperimentPlan& plan, const Totals& totals, const config::Figure& figure,
                            const config::Claim& claim) {
  if (!claim.band || plan.choices.empty()) return std::nullopt;
  const auto under = [&](const std::string& choice) { return Evaluation(plan, totals, choice).subject(figure, claim); };
  const std::optional<double> own = under("");
  if (!own) return std::nullopt;
  Band band{{*own, ""}, {}};
  for (const config::OpenChoice& choice : plan.choices) {
    const std::optional<double> other = under(choice.name);
    if (!other) return std::nullopt;
    band.others.push_back({*other, choice.name});
  }
  return band;
}

}  // namespace warpfork::experiment
