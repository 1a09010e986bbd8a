// The rows of CAPRI Figure 3, by hand: A at 0, B at 2, C at 4, D at 6; of two warps of four threads 0, 6 and 7 take B.
#include "divergence/block_stack_table.h"

#include <gtest/gtest.h>

#include "block_bench.h"

namespace warpfork {
namespace block_stack_table_test {

class StackOfFigure3 : public ::testing::Test {
 protected:
  StackOfFigure3() {
    block_.comes(0, {path(2, 0b0001), path(4, 0b1110)});
    block_.comes(1, {path(2, 0b1100), path(4, 0b0011)});
  }
  std::string text(WarpId place) const {
    return text_of(BlockStackTable(block_.stack, block_.warps, block_.sides, barriers_, block_.live).of(place));
  }

  BlockBench block_{2};
  CompactionBarriers barriers_{block_.sides};
};

TEST_F(StackOfFigure3, a_warp_that_runs_is_on_top) {
  EXPECT_EQ(text(1),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "          0     -     2      -  1111  1:1111  top\n");
}

TEST_F(StackOfFigure3, a_warp_that_waits_shows_the_entries_of_its_branch) {
  block_.warps.stop(0);
  barriers_.wait(BranchSides::kRoot, 0, 6, 0, 0);
  EXPECT_EQ(text(0),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "          6     -     1      -  1111  0:1111\n"
            "          4     6     0      1  1110  0:1110\n"
            "          2     6     0      1  0001  0:0001\n"
            "waits at 0 for 1\n");
}

TEST_F(StackOfFigure3, a_place_shows_its_part_of_the_stack) {
  for (const WarpId place : {0, 1}) barriers_.wait(BranchSides::kRoot, 0, 6, place, 0);
  barriers_.open(WarpSet());
  block_.stack.part(WarpSet(0b11), 6, true);
  EXPECT_EQ(text(0),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "          6     -     0      -  1111  0:1111\n"
            "          4     6     0      1  1111  0:1110 1:0001\n"
            "          2     6     1      1  1101  0:0001 1:1100  top\n");
  EXPECT_EQ(text(1),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "          6     -     0      -  1111  1:1111\n"
            "          4     6     0      1  0010  1:0010\n");
}

TEST_F(StackOfFigure3, a_warp_at_a_barrier_of_the_program_waits_on_top) {
  block_.warps.stop(1);
  EXPECT_EQ(text(1),
            "stack    pc   rpc  wcnt  umask  lanes\n"
            "          0     -     1      -  1111  1:1111  top, waits\n");
}

}  // namespace block_stack_table_test
}  // namespace warpfork
