// The divergence predictor (SIMT-X 3.7.2 and 4.5): will the threads of a warp part at this branch?
#pragma once

#include <array>
#include <cstdint>

namespace warpfork::ooo {

/// Thirty-two two-bit counters, shared by all branches of the core and indexed by address. Biased: divergent unless
/// strongly uniform, since a needless path costs an entry and a µop, and a missed divergence a flush. A counter begins
/// strongly divergent, so that a branch is thought uniform after it was so three times running.
class DivergencePredictor {
 public:
  static constexpr unsigned kEntries = 32;

  DivergencePredictor() { counters_.fill(kStronglyDivergent); }

  bool divergent(std::uint64_t pc) const { return counters_[index(pc)] != kStronglyUniform; }

  void update(std::uint64_t pc, bool diverged) {
    std::uint8_t& counter = counters_[index(pc)];
    if (diverged && counter < kStronglyDivergent) ++counter;
    if (!diverged && counter > kStronglyUniform) --counter;
  }

 private:
  static constexpr std::uint8_t kStronglyUniform = 0, kStronglyDivergent = 3;
  static unsigned index(std::uint64_t pc) { return (pc ^ pc >> 5 ^ pc >> 10) % kEntries; }

  std::array<std::uint8_t, kEntries> counters_;
};

}  // namespace warpfork::ooo
