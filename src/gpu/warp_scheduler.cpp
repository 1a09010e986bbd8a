#include "gpu/warp_scheduler.h"

#include <fmt/ranges.h>

#include <array>

#include "base/key_use.h"
#include "base/named.h"

namespace warpfork::gpu {

namespace {

constexpr unsigned kLastSlot = WarpSlots::kCapacity - 1;

/// Greedy then oldest: the warp that issued last as long as it can, then the oldest.
class GreedyThenOldest final : public WarpScheduler {
 public:
  unsigned pick(const WarpSlots& ready, const AgeOrder& ages) override {
    if (!ready.contains(last_)) last_ = ages.oldest(ready);
    return last_;
  }

 private:
  unsigned last_ = 0;
};

/// Loose round robin: the next warp after the one that issued last that can.
class LooseRoundRobin final : public WarpScheduler {
 public:
  unsigned pick(const WarpSlots& ready, const AgeOrder&) override { return last_ = ready.next_after(last_); }

 private:
  unsigned last_ = kLastSlot;
};

/// Two-level: round robin within a small active set; a warp that cannot issue loses its place there to the oldest
/// ready warp outside when nobody in the set can issue.
class TwoLevel final : public WarpScheduler {
 public:
  explicit TwoLevel(unsigned active) : room_(active) {}

  unsigned pick(const WarpSlots& ready, const AgeOrder& ages) override {
    if (!ready.intersects(active_)) {
      active_ = {};
      for (unsigned i = 0; i < room_ && !active_.contains(ready); ++i) active_.insert(ages.oldest(ready - active_));
    }
    return last_ = (ready & active_).next_after(last_);
  }

 private:
  unsigned room_;
  WarpSlots active_;
  unsigned last_ = kLastSlot;
};

constexpr std::array<std::string_view, 1> kTwoLevelKeys{"core.two_level_active"};

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
                        },
                        kTwoLevelKeys},
};

}  // namespace

bool WarpSchedulerPolicy::uses(std::string_view key) const { return uses_key(*this, key, kPolicies); }

std::span<const WarpSchedulerPolicy> warp_scheduler_policies() { return kPolicies; }

const WarpSchedulerPolicy& find_warp_scheduler_policy(std::string_view name) {
  return find_named(kPolicies, name, "warp scheduler", "policies");
}

std::string scheduler_text() {
  return fmt::format("policy of the warp schedulers: {}", fmt::join(names_of(kPolicies), ", "));
}

}  // namespace warpfork::gpu
