// Tables as text: the columns of MULTIPATH Figure 6 and CAPRI Figure 3, by hand.
#include "divergence/state_table.h"

#include <gtest/gtest.h>

#include "divergence/warp_local.h"

namespace warpfork {
namespace state_table_test {

using enum StateTable::Kind;

const std::vector<StateTable::Column> kColumns = {
    {"pc", ProgramCounter}, {"rpc", ProgramCounter}, {"lanes", Mask}, {"pending", Mask}, {"", Text}, {"", Text}};

TEST(StateTable, aligns_what_has_a_name_and_puts_the_rest_behind_the_row) {
  EXPECT_EQ(
      text_of({"RT", kColumns, {{"6", "-", "1111", "1010", "", ""}, {"5", "6", "1010", "1010", "", "early"}}, ""}),
      "RT       pc   rpc  lanes  pending\n"
      "          6     -  1111   1010\n"
      "          5     6  1010   1010  early\n");
}

TEST(StateTable, gives_masks_of_more_lanes_the_room_that_they_need) {
  EXPECT_EQ(text_of({"RT", kColumns, {{"12", "-", "11111111", "1", "", ""}}, "a note"}),
            "RT       pc   rpc  lanes     pending\n"
            "         12     -  11111111  1\n"
            "a note\n");
}

TEST(StateTable, without_rows_is_its_head) {
  EXPECT_EQ(text_of({"ST", kColumns, {}, ""}), "ST       pc   rpc  lanes  pending\n");
}

/// All lanes stay together.
class Together {
 public:
  static constexpr bool kWatchesBlocks = false;
  explicit Together(const DivergenceSpec&) {}
  void launch(SplitSlots slots, Pc entry, ActiveMask lanes) {
    slots[0].pc = entry;
    slots[0].lanes = live_ = lanes;
    id_ = slots[0].id;
  }
  std::span<const SplitId> runnable() const { return {&id_, 1}; }
  bool advance(unsigned, std::span<const Path>, Pc) { return false; }
  bool wait(unsigned) { return false; }
  bool release(unsigned) { return false; }
  ActiveMask live() const { return live_; }

 private:
  SplitId id_ = 0;
  ActiveMask live_;
};

TEST(StateTable, of_a_mechanism_without_tables_lists_the_splits_that_may_issue) {
  WarpLocal<Together> domain{DivergenceSpec{}};
  const ActiveMask lanes(0b0111);
  domain.launch(4, {&lanes, 1}, 0);
  EXPECT_EQ(domain.tables(0),
            (std::vector<StateTable>{{"splits", {{"pc", ProgramCounter}, {"lanes", Mask}}, {{"4", "111"}}, ""}}));
}

}  // namespace state_table_test
}  // namespace warpfork
