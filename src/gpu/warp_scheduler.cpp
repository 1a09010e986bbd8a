#include "gpu/warp_scheduler.h"

#include <array>
#include <bit>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace warpfork::gpu {

namespace {

unsigned lowest(WarpSlots set) { return static_cast<unsigned>(std::countr_zero(set)); }

unsigned oldest(WarpSlots ready, std::span<const std::uint64_t> ages) {
  unsigned best = lowest(ready);
  for (WarpSlots rest = ready & (ready - 1); rest != 0; rest &= rest - 1)
    if (ages[lowest(rest)] < ages[best]) best = lowest(rest);
  return best;
}

unsigned next_after(WarpSlots ready, unsigned last) {
  const WarpSlots later = last >= 63 ? 0 : ready & (~WarpSlots{0} << (last + 1));
  return lowest(later != 0 ? later : ready);
}

/// Greedy then oldest: the warp that issued last as long as it can, then the oldest.
class GreedyThenOldest final : public WarpScheduler {
 public:
  unsigned pick(WarpSlots ready, std::span<const std::uint64_t> ages) override {
    if ((ready >> last_ & 1) == 0) last_ = oldest(ready, ages);
    return last_;
  }

 private:
  unsigned last_ = 0;
};

/// Loose round robin: the next warp after the one that issued last that can.
class LooseRoundRobin final : public WarpScheduler {
 public:
  unsigned pick(WarpSlots ready, std::span<const std::uint64_t>) override { return last_ = next_after(ready, last_); }

 private:
  unsigned last_ = 63;
};

/// Two-level: round robin within a small active set; a warp that cannot issue loses its place there to the oldest
/// ready warp outside when nobody in the set can issue.
class TwoLevel final : public WarpScheduler {
 public:
  explicit TwoLevel(unsigned active) : room_(active) {}

  unsigned pick(WarpSlots ready, std::span<const std::uint64_t> ages) override {
    if ((ready & active_) == 0) {
      active_ = 0;
      for (unsigned i = 0; i < room_ && (ready & ~active_) != 0; ++i)
        active_ |= WarpSlots{1} << oldest(ready & ~active_, ages);
    }
    return last_ = next_after(ready & active_, last_);
  }

 private:
  unsigned room_;
  WarpSlots active_ = 0;
  unsigned last_ = 63;
};

constexpr std::array kPolicies = {
    WarpSchedulerPolicy{
        "gto", "greedy then oldest: one warp until it stalls, then the oldest",
        [](const CoreSpec&) -> std::unique_ptr<WarpScheduler> { return std::make_unique<GreedyThenOldest>(); }},
    WarpSchedulerPolicy{
        "lrr", "loose round robin: every warp in turn, those that cannot issue are passed over",
        [](const CoreSpec&) -> std::unique_ptr<WarpScheduler> { return std::make_unique<LooseRoundRobin>(); }},
    WarpSchedulerPolicy{"two-level", "round robin within a small active set, refilled when all of it is stalled",
                        [](const CoreSpec& spec) -> std::unique_ptr<WarpScheduler> {
                          return std::make_unique<TwoLevel>(spec.two_level_active);
                        }},
};

}  // namespace

std::span<const WarpSchedulerPolicy> warp_scheduler_policies() { return kPolicies; }

const WarpSchedulerPolicy& find_warp_scheduler_policy(std::string_view name) {
  std::vector<std::string> names;
  for (const WarpSchedulerPolicy& policy : kPolicies) {
    if (policy.name == name) return policy;
    names.emplace_back(policy.name);
  }
  throw Error("there is no warp scheduler '{}'; known: {}", name, fmt::join(nearest_names(name, names), ", "));
}

}  // namespace warpfork::gpu
