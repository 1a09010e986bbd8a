// What SIMT-X leaves open of its cores and a machine may choose: each choice where it makes a difference.
#include <gtest/gtest.h>

#include "unit/ooo/core_setup.h"
#include "unit/ooo/issue_times.h"
#include "unit/ooo/listened_run.h"

namespace warpfork::ooo {
namespace open_choices_test {

/// What one thread does that goes through the program from its begin.
std::vector<SpmdProgram::Step> whole(const SpmdProgram& program) {
  std::vector<std::uint64_t> pcs;
  for (std::uint64_t pc = SpmdProgram::kBase; pc < program.here(); pc += 4) pcs.push_back(pc);
  return program.follow(pcs);
}

/// Thread 0 goes to kIf, which a new predictor expects, divides and adds to that; thread 1, whose path is the younger
/// one, adds at kElse.
Times two_paths(const std::string& order) {
  SpmdProgram program;
  program.branch({}).target = 0x100c;
  program.alu(1, 2);  // kElse
  program.jump(x86::BranchKind::Jump).target = 0x1014;
  program.add({divide(0)});
  program.alu(0, 0);
  program.end();
  MachineSpec machine;
  machine.warps = 1;
  machine.threads = 2;
  machine.issue_order = order;
  Times times;
  run_listened("ditva", machine,
               {program.follow({0x1000, 0x100c, 0x1010, 0x1014}), program.follow({0x1000, 0x1004, 0x1008, 0x1014})},
               {&times});
  return times;
}

TEST(IssueOrder, of_a_thread_lets_another_path_go_on) {
  const Times times = two_paths("thread");
  EXPECT_LT(times.at(0x1004).issued, times.at(0x100c).done);
}

TEST(IssueOrder, of_a_warp_lets_no_path_go_before_an_older_instruction) {
  const Times times = two_paths("warp");
  EXPECT_EQ(times.at(0x1010).issued, times.at(0x100c).done);
  EXPECT_GE(times.at(0x1004).issued, times.at(0x1010).issued);
}

/// A load that misses, and µops that do not need it: the first one that does not issue before the load is done.
unsigned first_held_up(const std::string& sharing, unsigned entries) {
  SpmdProgram program;
  program.load(1, 2);
  for (unsigned i = 0; i < 40; ++i) program.add({x86::Uop{}});
  program.end();
  MachineSpec machine;
  machine.warps = 2;
  machine.threads = 1;
  machine.reorder_buffer_sharing = sharing;
  machine.pipeline.reorder_buffer = entries;
  Times times;
  run_listened("simt-x", machine, {whole(program), {}}, {&times});
  unsigned number = 1;
  while (times.at(SpmdProgram::kBase + 4 * number).issued < times.at(SpmdProgram::kBase).done) ++number;
  return number;
}

TEST(ReorderBufferSharing, gives_a_warp_all_entries_or_its_part) {
  EXPECT_EQ(first_held_up("shared", 16), 16u);
  EXPECT_EQ(first_held_up("partitioned", 32), 16u);
  EXPECT_EQ(first_held_up("partitioned", 33), 16u);
  EXPECT_EQ(first_held_up("partitioned", 34), 17u);
}

/// Cycles that 400 more instructions of three µops each take, with widths of four.
Cycle of_400(const std::string& core, const std::string& widths) {
  const auto cycles = [&](unsigned instructions) {
    SpmdProgram program;
    for (unsigned i = 0; i < instructions; ++i) program.add(std::vector<x86::Uop>(3));
    program.end();
    MachineSpec machine = one_thread();
    machine.widths = widths;
    machine.pipeline.fetch_buffer = 256;
    return run_listened(core, machine, {whole(program)}, {}).cycles;
  };
  return cycles(800) - cycles(400);
}

// Four instructions a cycle; four µops, so that three cycles take four instructions; one instruction, since two are six
// µops to fetch.
TEST(Widths, count_instructions_or_uops) {
  for (const char* const core : {"ditva", "simt-x"}) {
    EXPECT_EQ(of_400(core, "instructions"), 100u) << core;
    EXPECT_EQ(of_400(core, "decoded"), 300u) << core;
    EXPECT_EQ(of_400(core, "uops"), 400u) << core;
  }
}

// Stores to three lines. Each takes a page walk of 30 cycles and 215 from memory.
TEST(StoreBuffer, holds_a_store_until_its_line_is_there) {
  SpmdProgram program;
  for (unsigned i = 0; i < 3; ++i) program.store(0, 1);
  program.end();
  std::vector<SpmdProgram::Step> steps = whole(program);
  for (unsigned i = 0; i < 3; ++i) steps[i].addresses = {0x8000 + 0x1000 * i};
  for (const char* const core : {"ditva", "simt-x"})
    for (const unsigned entries : {1u, 2u, 3u}) {
      MachineSpec machine = one_thread();
      machine.memory.store_buffer = entries;
      Times times;
      run_listened(core, machine, {steps}, {&times});
      const Cycle first = times.at(0x1000).issued;
      EXPECT_EQ(times.at(0x1004).issued, first + (entries == 1 ? 245 : 1)) << core;
      if (entries != 1) {
        EXPECT_EQ(times.at(0x1008).issued, first + (entries == 2 ? 245 : 2)) << core;
      }
    }
}

}  // namespace open_choices_test
}  // namespace warpfork::ooo
