#include "report/register_note.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::report {
namespace register_note_test {

using ::testing::HasSubstr;

LaunchRecord launch(const char* from, unsigned live, unsigned registers, unsigned blocks, unsigned without) {
  LaunchRecord launch;
  launch.occupancy.registers_per_thread = registers;
  launch.occupancy.registers_from = from;
  launch.occupancy.live_registers = live;
  launch.occupancy.blocks_per_core = blocks;
  launch.occupancy.blocks_without_registers = without;
  return launch;
}

std::string note_of(const std::vector<LaunchRecord>& launches) { return register_note(launches); }

TEST(RegisterNote, says_what_registers_cost_and_what_to_do) {
  const std::string note = note_of({launch("live", 42, 44, 2, 6)});
  EXPECT_THAT(note, HasSubstr("  registers   44 a thread leave room for 2 blocks on a core, of 6."));
  EXPECT_THAT(note, HasSubstr("--set core.registers_per_thread=N (ptxas -v reports N)\n"));
}

TEST(RegisterNote, is_silent_where_registers_cost_no_block) {
  EXPECT_EQ(note_of({launch("live", 20, 20, 6, 6)}), "");
  EXPECT_EQ(note_of({launch("live", 44, 44, 2, 1)}), "");  // the launch has no more blocks
}

TEST(RegisterNote, is_silent_where_the_number_was_given) { EXPECT_EQ(note_of({launch("machine", 92, 44, 2, 6)}), ""); }

TEST(RegisterNote, doubts_no_allocation) {
  EXPECT_EQ(note_of({launch("allocation", 42, 44, 2, 6)}),
            "  registers   44 a thread, as allocated, leave room for 2 blocks on a core, of 6.\n");
  EXPECT_EQ(note_of({launch("allocation", 42, 20, 6, 6)}), "");
}

TEST(RegisterNote, says_what_was_spilled) {
  LaunchRecord spills = launch("allocation", 42, 20, 6, 6);
  spills.occupancy.spilled_bytes = 16;
  EXPECT_EQ(note_of({launch("allocation", 42, 20, 6, 6), spills}),
            "  registers   16 bytes of each thread are spilled to local memory: a thread can have 20 registers\n");
}

TEST(RegisterNote, says_that_a_block_would_not_have_fitted) {
  LaunchRecord fitted = launch("allocation", 42, 32, 1, 1);
  fitted.occupancy.registers_fitted = 1;
  EXPECT_EQ(
      note_of({launch("allocation", 42, 20, 6, 6), fitted}),
      "  registers   with more than 32 a thread no block fits on a core; --set core.registers=N makes room for more\n");
}

TEST(RegisterNote, says_that_a_compiler_would_have_spilled) {
  EXPECT_THAT(
      note_of({launch("limit", 92, 64, 2, 2)}),
      HasSubstr("  registers   92 are alive at once in the PTX, more than the 64 that a thread can have: ptxas"));
}

TEST(RegisterNote, is_of_the_launch_that_loses_most) {
  EXPECT_THAT(note_of({launch("live", 44, 44, 4, 4), launch("live", 44, 44, 2, 6)}),
              HasSubstr("2 blocks on a core, of 6"));
}

}  // namespace register_note_test
}  // namespace warpfork::report
