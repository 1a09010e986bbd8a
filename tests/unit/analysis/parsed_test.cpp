// The analyses on PTX text, through the parser.
#include <gtest/gtest.h>

#include "analysis/cfg.h"
#include "analysis/liveness.h"
#include "analysis/postdominators.h"
#include "ptx/parser.h"

namespace warpfork::analysis {
namespace parsed_test {

constexpr const char* kSwitchInLoop = R"(.version 3.2
.target sm_20
.address_size 64
.visible .entry kernel(.param .u64 out)
{
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
LOOP:
  table: .branchtargets ZERO, ONE, ZERO;
  and.b32 %r2, %r1, 3;
  brx.idx %r2, table;
ZERO:
  add.u32 %r1, %r1, 1;
  bra.uni NEXT;
ONE:
  setp.gt.u32 %p1, %r1, 40;
  @%p1 exit;
NEXT:
  setp.lt.u32 %p2, %r1, 100;
  @%p2 bra LOOP;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

TEST(AnalysesOfParsedPtx, find_targets_of_an_indirect_branch_and_where_it_meets) {
  const ptx::Module module = ptx::parse(kSwitchInLoop, "switch.ptx");
  const ControlFlowGraph graph(module.functions[0]);
  ASSERT_EQ(graph.blocks().size(), 6u);  // start, LOOP, ZERO, ONE, NEXT, end
  EXPECT_EQ(graph.blocks()[1].successors, (std::vector<BlockId>{2, 3}));
  EXPECT_TRUE(graph.blocks()[3].exits);
  const Postdominators postdominators(graph);
  EXPECT_FALSE(postdominators.immediate(1).has_value()) << "ONE may exit";
  EXPECT_EQ(postdominators.immediate(2), 4u);
  EXPECT_EQ(postdominators.immediate(4), std::nullopt) << "another turn may exit";
}

// Alive around the loop: %rd1 (2 units) and %r1; %r2 beside them only from `and` to `brx`.
TEST(AnalysesOfParsedPtx, count_live_registers) {
  const ptx::Module module = ptx::parse(kSwitchInLoop, "switch.ptx");
  EXPECT_EQ(max_live_registers(module.functions[0], ControlFlowGraph(module.functions[0])), 4u);
}

}  // namespace parsed_test
}  // namespace warpfork::analysis
