#include "experiment/recordings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace warpfork::experiment {

Recordings::Recordings(const config::ExperimentPlan& plan, const Totals& totals) {
  unsigned last = 0;
  for (const auto& run : totals) last = std::max(last, run.first.recording);
  for (unsigned recording = 0; recording <= last; ++recording) evaluations_.emplace_back(plan, totals, "", recording);
}

/// Of what `read` reads off each recording's evaluation.
template <class Read>
std::optional<Spread> Recordings::spread(Read&& read) const {
  std::vector<double> all;
  for (const Evaluation& evaluation : evaluations_) {
    const std::optional<double> one = read(evaluation);
    if (!one) return std::nullopt;
    all.push_back(*one);
  }
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  return Spread{sum / static_cast<double>(all.size()), std::ranges::min(all), std::ranges::max(all)};
}

std::optional<Spread> Recordings::value(const config::Quantity& quantity, const std::string& benchmark,
                                        const std::string& configuration) const {
  return spread([&](const Evaluation& one) { return one.value(quantity, benchmark, configuration); });
}

std::optional<Spread> Recordings::mean(const config::Figure& figure, const config::Quantity& quantity,
                                       const std::string& configuration) const {
  return spread([&](const Evaluation& one) { return one.mean(figure, quantity, configuration); });
}

std::optional<Spread> Recordings::subject(const config::Figure& figure, const config::Claim& claim) const {
  return spread([&](const Evaluation& one) { return one.subject(figure, claim); });
}

std::optional<bool> Recordings::holds(const config::Figure& figure, const config::Claim& claim) const {
  bool all = true;
  for (const Evaluation& evaluation : evaluations_) {
    const std::optional<bool> one = evaluation.holds(figure, claim);
    if (!one) return std::nullopt;
    all &= *one;
  }
  return all;
}

}  // namespace warpfork::experiment
