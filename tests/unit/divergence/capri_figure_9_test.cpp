// CAPRI Figure 9: two loops on 64 threads in one block. In the first the two warps part into opposite halves, in the
// second into even and odd threads. Utilisation and mispredictions are the paper's (and by hand: opposite halves fill
// each other's lanes, equal halves need the same lanes).
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "divergence/registry.h"

namespace warpfork {
namespace capri_figure_9_test {

constexpr unsigned kTurns = 100;
constexpr std::uint32_t kOuter0 = 0x0000ffff, kOuter1 = 0xffff0000, kEven = 0x55555555;

/// The loops, one instruction a block: 0 branches to 1 or 2, which meet in 3; 3 goes back to 0 or on to 4, where the
/// same begins for the second loop; 8 exits.
class Sample {
 public:
  explicit Sample(std::string_view mechanism) : domain_(find_divergence_mechanism(mechanism).make({})) {
    const ActiveMask lanes[] = {ActiveMask(~0u), ActiveMask(~0u)};
    domain_->launch(0, lanes);
    for (bool any = true; any;) {
      any = false;
      for (WarpId place : {0u, 1u})
        if (!domain_->runnable(place).empty()) {
          execute(domain_->split(domain_->runnable(place).front()));
          any = true;
        }
    }
  }

  /// Active lanes over all lanes in this block.
  double utilisation(Pc block) const { return issued_.at(block).first / (32.0 * issued_.at(block).second); }
  /// Compactions that needed fewer warps, and those that did not.
  unsigned right(Pc branch) const { return judged({branch, true}); }
  unsigned wrong(Pc branch) const { return judged({branch, false}); }
  /// Warps that did not wait for a compaction that would have paid or not.
  unsigned bypassed(Pc branch, bool paid) const {
    return bypassed_.contains({branch, paid}) ? bypassed_.at({branch, paid}) : 0;
  }
  bool finished() const { return domain_->finished(0) && domain_->finished(1); }

 private:
  unsigned judged(std::pair<Pc, bool> key) const { return judged_.contains(key) ? judged_.at(key) : 0; }
  void execute(const WarpSplit& split) {
    auto& [lanes, times] = issued_[split.pc];
    lanes += split.lanes.count();
    ++times;
    const Pc pc = split.pc, loop = pc / 4 * 4;
    if (pc == 8) {
      domain_->advance(split.id, {}, kNoPc);
    } else if (pc % 4 == 0) {
      part(split, taking(split) & split.lanes);
    } else if (pc % 4 != 3) {
      go(split, loop + 3, loop + 3);
    } else {
      go(split, ++turns_[{split.warp, loop}] < kTurns ? loop : loop + 4, loop + 4);
    }
  }
  void part(const WarpSplit& split, ActiveMask taking) {
    const Path paths[] = {{split.pc + 1, taking}, {split.pc + 2, split.lanes - taking}};
    for (const Compaction& done : domain_->advance(split.id, paths, split.pc + 3).compactions)
      if (done.waited.any())
        ++judged_[{done.branch, done.paid()}];
      else
        bypassed_[{done.branch, done.paid()}] += done.bypassed;
  }
  void go(const WarpSplit& split, Pc target, Pc reconvergence) {
    const Path path{target, split.lanes};
    domain_->advance(split.id, {&path, 1}, reconvergence);
  }
  ActiveMask taking(const WarpSplit& split) const {
    if (split.pc == 4) return ActiveMask(kEven);
    return ActiveMask(split.warp == 0 ? kOuter0 : kOuter1);
  }

  std::unique_ptr<DivergenceDomain> domain_;
  std::map<Pc, std::pair<double, unsigned>> issued_;  // lanes, times
  std::map<std::pair<WarpId, Pc>, unsigned> turns_;
  std::map<std::pair<Pc, bool>, unsigned> judged_, bypassed_;
};

class CapriFigure9 : public ::testing::TestWithParam<const char*> {};

TEST_P(CapriFigure9, first_loop_is_compacted_and_the_second_cannot_be) {
  const Sample sample(GetParam());
  EXPECT_TRUE(sample.finished());
  const double first = std::string(GetParam()) == "pdom" ? 0.5 : 1.0;
  for (Pc side : {1, 2}) EXPECT_EQ(sample.utilisation(side), first);
  for (Pc side : {5, 6}) EXPECT_EQ(sample.utilisation(side), 0.5);
  for (Pc whole : {0, 3, 4, 7, 8}) EXPECT_EQ(sample.utilisation(whole), 1.0);
}

INSTANTIATE_TEST_SUITE_P(Under, CapriFigure9, ::testing::Values("pdom", "tbc", "capri"),
                         [](const auto& info) { return std::string(info.param); });

TEST(CapriFigure9, capri_mispredicts_once_and_tbc_in_every_turn_of_the_second_loop) {
  for (const char* mechanism : {"tbc", "capri"}) {
    EXPECT_EQ(Sample(mechanism).right(0), kTurns) << mechanism;
    EXPECT_EQ(Sample(mechanism).wrong(0), 0u) << mechanism;
    EXPECT_EQ(Sample(mechanism).right(4), 0u) << mechanism;
  }
  EXPECT_EQ(Sample("capri").wrong(4), 1u);
  EXPECT_EQ(Sample("tbc").wrong(4), kTurns);
}

TEST(CapriFigure9, capri_bypasses_the_second_loop_rightly_in_all_turns_but_the_first) {
  const Sample sample("capri");
  EXPECT_EQ(sample.bypassed(0, true) + sample.bypassed(0, false), 0u);
  EXPECT_EQ(sample.bypassed(4, true), 0u);
  EXPECT_EQ(sample.bypassed(4, false), 2 * (kTurns - 1));
}

}  // namespace capri_figure_9_test
}  // namespace warpfork
