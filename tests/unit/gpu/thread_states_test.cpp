// What the threads of a core do at its schedulers, cycle by cycle (MULTIPATH Figure 14).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/core.h"
#include "gtx480_spec.h"
#include "kernel.h"
#include "report/split_count.h"

namespace warpfork::gpu {
namespace thread_states_test {

using ::testing::ElementsAre;

/// Writes down the states of each cycle and the pc of what was issued: "2D 2P x3" are three cycles in which two threads
/// have a data hazard and two are suspended.
class Diary final : public report::LaunchListener {
 public:
  /// A cycle has ended; the core's sums until now.
  void take(const report::ThreadCycles& sums) {
    std::string line;
    for (unsigned state = 0; state < report::kThreadStates; ++state)
      if (sums[state] != sums_[state]) line += fmt::format("{}{} ", sums[state] - sums_[state], "EDSIPBF"[state]);
    if (!line.empty()) cycles_.push_back(line + issued_);
    sums_ = sums;
    issued_.clear();
  }
  void split(const report::SplitEvent& event) override { splits_.add(event); }
  void issued(const report::IssueEvent& event) override { issued_ += fmt::format("*{} ", event.pc); }
  bool observes_issues() const override { return true; }

  /// From the cycle in which the instruction was issued on, equal cycles together.
  std::vector<std::string> since(Pc pc) const {
    std::vector<std::string> lines;
    const std::string first = fmt::format("*{} ", pc);
    auto cycle = std::find_if(cycles_.begin(), cycles_.end(), [&](const auto& c) { return c.ends_with(first); });
    while (cycle != cycles_.end()) {
      const auto end = std::find_if(cycle, cycles_.end(), [&](const auto& other) { return other != *cycle; });
      lines.push_back(cycle->substr(0, cycle->size() - 1));
      if (end - cycle > 1) lines.back() += fmt::format(" x{}", end - cycle);
      cycle = end;
    }
    return lines;
  }
  /// In how many cycles a state is named so.
  std::ptrdiff_t cycles_with(const std::string& threads) const {
    return std::count_if(cycles_.begin(), cycles_.end(), [&](const auto& cycle) {
      return cycle.starts_with(threads + " ") || cycle.find(" " + threads + " ") != std::string::npos;
    });
  }
  const report::SplitCount& splits() const { return splits_; }

 private:
  report::SplitCount splits_;
  std::vector<std::string> cycles_;
  report::ThreadCycles sums_{};
  std::string issued_;
};

void run(Core& core, const CoreSpec& spec, memory::MemorySystem& memory, Kernel& kernel, Diary& diary) {
  const KernelTables tables(spec, kernel.program());
  core.begin_kernel(kernel.launch(), tables, {}, 1, diary);
  core.start_block({0, 0, 0}, 0);
  for (Cycle now = 1; !core.empty(); ++now) {
    ASSERT_LT(now, 10000u);
    if (memory.next_event() <= now) memory.advance(now);
    core.cycle(now);
    diary.take(core.thread_cycles());
  }
  core.end_kernel();
  memory.end_kernel();
}

/// The second launch, whose code is in the instruction cache.
Diary diary_of(Kernel& kernel, const MachineSpec& spec) {
  memory::MemorySystem memory(spec.memory, 1);
  Core core(spec, 0, memory);
  Diary cold, diary;
  run(core, spec.core, memory, kernel, cold);
  run(core, spec.core, memory, kernel, diary);
  return diary;
}

/// MULTIPATH Figure 2: A ends with the branch at 9, C is 10 to 12, B 13 and 14, D 15 to 17.
Diary figure_2(const MachineSpec& spec) {
  Kernel kernel(R"(
      and.b32 %r2, %thread, 1;
      setp.eq.u32 %p0, %r2, 0;
      @%p0 bra B;
      xor.b32 %r3, %r3, 1;
      xor.b32 %r3, %r3, 1;
      bra D;
    B:
      xor.b32 %r3, %r3, 1;
      xor.b32 %r3, %r3, 1;
    D:
      xor.b32 %r3, %r3, 1;
      xor.b32 %r3, %r3, 1;
      ret;)",
                {}, {4, 1, 1}, 64);
  return diary_of(kernel, spec);
}

// By hand, from the rules of the GTX 480's core: a dependent xor may issue 7 cycles after (pipeline_timing_test). Two
// instructions are fetched at a time, but 15 is the last of its line. After the last one of a pair the next is fetched
// in the same cycle, decoded in the next and may issue in the one after. A taken branch behind which that was the wrong
// one costs 3 cycles: decoded, flushed and fetched again, decoded. If its pair's other instruction is flushed, 2.
TEST(ThreadStates, of_figure_2_under_pdom) {
  EXPECT_THAT(
      figure_2(one_core("pdom")).since(9),
      ElementsAre("4E *9", "2I 2P x3",  // C is not on top
                  "2E 2P *13", "2D 2P x6", "2E 2P *14",
                  "2I 2P x3",  // now B waits at D
                  "2D 2P x3",  // 10 reads what 14 writes, 7 cycles after; that it is for other lanes is not seen
                  "2E 2P *10", "2D 2P x6", "2E 2P *11", "2I 2P", "2E 2P *12", "4I x2",
                  "4D x2",  // 15 needs what 11 writes, 7 cycles after
                  "4E *15", "4I", "4D x5", "4E *16", "4E *17"));
}

TEST(ThreadStates, of_figure_2_under_pdom_with_lane_masks) {
  MachineSpec spec = one_core("pdom");
  spec.core.scoreboard_masks = "always";
  EXPECT_THAT(figure_2(spec).since(9), ElementsAre("4E *9", "2I 2P x3", "2E 2P *13", "2D 2P x6", "2E 2P *14",
                                                   "2I 2P x3",  // C's lanes do not wait for what B's will get
                                                   "2E 2P *10", "2D 2P x6", "2E 2P *11", "2I 2P", "2E 2P *12", "4I x2",
                                                   "4D x2",  // 15 needs what 11 writes, 7 cycles after
                                                   "4E *15", "4I", "4D x5", "4E *16", "4E *17"));
}

// B inherits the entry, and with it the wrong fetch; C has a fresh one, whose first fetch comes a cycle later.
TEST(ThreadStates, of_figure_2_under_multi_path) {
  EXPECT_THAT(figure_2(one_core("multi-path")).since(9),
              ElementsAre("4E *9", "4I x2", "2E 2I *10", "2E 2D *13", "4D x5", "2E 2D *11",
                          "2E 2I *14",       // B, 7 cycles after 13; 12 is being decoded
                          "2E 2P *12",       // B waits at D
                          "4I x2", "4D x3",  // 15 needs what 14 writes, 7 cycles after
                          "4E *15", "4I", "4D x5", "4E *16", "4E *17"));
}

TEST(ThreadStates, a_warp_is_at_the_barrier_until_the_last_one_comes_and_finished_until_its_block_is) {
  Kernel kernel(R"(
      setp.lt.u32 %p0, %thread, 32;
      @%p0 bra MEET;
      xor.b32 %r3, %r3, 1;
      xor.b32 %r3, %r3, 1;
    MEET:
      bar.sync 0;
      @%p0 bra END;
      xor.b32 %r3, %r3, 1;
      xor.b32 %r3, %r3, 1;
    END:
      ret;)",
                {}, {64, 1, 1}, 64);
  const Diary diary = diary_of(kernel, one_core());
  EXPECT_GE(diary.cycles_with("32B"), 7);  // the other warp's second xor comes 7 cycles after its first
  EXPECT_GE(diary.cycles_with("32F"), 7);
  EXPECT_EQ(diary.cycles_with("64B"), 0);  // the barrier opens as the second one comes
}

TEST(ThreadStates, a_full_scoreboard_is_a_structural_hazard) {
  MachineSpec spec = one_core();
  spec.core.scoreboard_entries = 1;
  Kernel kernel("ld.global.u32 %r2, [%mine]; xor.b32 %r3, %r4, 1; ret;", {}, {32, 1, 1}, 64);
  EXPECT_GT(diary_of(kernel, spec).cycles_with("32S"), 50);  // as long as the load from DRAM or L2
  EXPECT_EQ(diary_of(kernel, one_core()).cycles_with("32S"), 0);
}

TEST(ThreadStates, a_split_without_an_instruction_buffer_entry_is_suspended) {
  MachineSpec spec = one_core("multi-path");
  spec.core.warps = spec.core.schedulers = 1;
  EXPECT_GE(figure_2(spec).cycles_with("2P"), 2 * 7);  // either side's second xor, 7 cycles after the first
}

// From the cycle after the branch until the one in which B issues its last instruction: lines 2 to 7 of the diary.
TEST(Splits, of_figure_2_are_two_until_one_has_come_to_the_reconvergence_point) {
  const report::SplitCount splits = figure_2(one_core("multi-path")).splits();
  EXPECT_EQ(splits.warp_cycles[2], 2u + 1 + 1 + 5 + 1 + 1);
  EXPECT_EQ(splits.thread_cycles[1], 2 * splits.warp_cycles[2]);
  EXPECT_EQ(splits.without_buffer_cycles, 0u);
}

TEST(Splits, of_a_warp_with_a_stack_are_one) {
  const report::SplitCount splits = figure_2(one_core("pdom")).splits();
  EXPECT_EQ(splits.warp_cycles[1] * 4, splits.live_thread_cycles);
  EXPECT_LT(splits.thread_cycles[0], splits.live_thread_cycles);
}

TEST(Splits, without_a_buffer_entry_are_counted_apart) {
  MachineSpec spec = one_core("multi-path");
  spec.core.warps = spec.core.schedulers = 1;
  const report::SplitCount splits = figure_2(spec).splits();
  EXPECT_EQ(splits.without_buffer_cycles, splits.warp_cycles[2]);  // one of the two, as long as there are two
}

}  // namespace thread_states_test
}  // namespace warpfork::gpu
