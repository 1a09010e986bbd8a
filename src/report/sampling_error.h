// How far the numbers of sampled launches may be from those of whole runs: the jackknife (Cochran, Sampling Techniques,
// third edition, 6.17), as most numbers are ratios of counts, and what warming up left.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "report/launch_record.h"
#include "report/sample_estimate.h"

namespace warpfork::report {

/// Of Student's t, so many degrees of freedom: 2.5 % lie above. For 1 to 30.
double student_t_975(std::size_t freedom);

class SamplingError {
 public:
  /// Of these launches' sums, which have errors if any of them was sampled.
  explicit SamplingError(std::span<const LaunchRecord> launches);

  /// Numbers that follow from the launches' sums, always as many.
  using Numbers = std::function<std::vector<double>(const LaunchRecord& sums)>;
  /// Half of the 95 % interval of each.
  std::vector<double> of(const Numbers& numbers) const;
  /// By the key of each number of the sums; those whose interval is 0 are left out.
  HalfIntervals half_intervals() const;
  /// Launches that were sampled.
  std::size_t launches() const { return sampled_.size(); }

  /// What stands behind a number in a text; nothing where all launches were simulated whole.
  using Number = std::function<double(const LaunchRecord& sums)>;
  /// " ± 1.2 %" of the number.
  std::string relative(const Number& number) const;
  /// " ± 1.2", percentage points of a share, 0 … 1.
  std::string of_share(const Number& share) const;

 private:
  double of(const Number& number) const;
  /// The numbers of the sums if the launch had other counts.
  std::vector<double> with(const LaunchRecord& launch, const Counts& others, const Numbers& numbers) const;

  LaunchRecord sums_;  // where any was sampled: most runs have none, and need not be summed once more
  std::vector<const LaunchRecord*> sampled_;
};

}  // namespace warpfork::report
