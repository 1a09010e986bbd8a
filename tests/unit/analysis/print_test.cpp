#include "analysis/print.h"

#include <gtest/gtest.h>

#include "function_builder.h"

namespace warpfork::analysis {
namespace print_test {

struct IfElse {
  IfElse() { code.nop().branch(4).nop().bra(5).nop().exit(); }
  FunctionBuilder code;
};

TEST(PrintText, lists_blocks_with_lines_and_branches_with_their_reconvergence_points) {
  IfElse shape;
  const ControlFlowGraph graph(shape.code.function());
  EXPECT_EQ(print_text(shape.code.function(), graph, Postdominators(graph)),
            "block          pc        lines  successors  postdominator\n"
            "B0       0 -    1    10 -   11  B2 B1       B3\n"
            "B1       2 -    3    12 -   13  B3          B3\n"
            "B2       4 -    4    14 -   14  B3          B3\n"
            "B3       5 -    5    15 -   15  exit        exit\n"
            "\n"
            "branch at pc  line  targets     reconverges at\n"
            "           1    11  B2 B1       B3, pc 5, line 15\n");
}

TEST(PrintGraphviz, draws_flow_solid_and_postdominance_dashed) {
  IfElse shape;
  const ControlFlowGraph graph(shape.code.function());
  const std::string text = print_graphviz(shape.code.function(), graph, Postdominators(graph));
  EXPECT_NE(text.find("  B0 -> B2;\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  B3 -> exit;\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  B0 -> B3 [style=dashed"), std::string::npos) << text;
}

TEST(PrintText, branch_that_meets_nowhere_reconverges_at_the_exit) {
  FunctionBuilder code;
  code.branch(2).exit().exit();
  const ControlFlowGraph graph(code.function());
  EXPECT_NE(print_text(code.function(), graph, Postdominators(graph)).find("           0    10  B2 B1       exit\n"),
            std::string::npos);
}

}  // namespace print_test
}  // namespace warpfork::analysis
