#include "analysis/postdominators.h"

#include <gtest/gtest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <random>

#include "function_builder.h"

namespace warpfork::analysis {
namespace postdominators_test {

/// Keeps the graph alive beside its postdominators.
struct Analysed {
  explicit Analysed(FunctionBuilder& code) : graph(code.function()), postdominators(graph) {}
  Pc reconvergence(Pc pc) const { return postdominators.reconvergence_pc(pc); }
  ControlFlowGraph graph;
  Postdominators postdominators;
};

// MULTIPATH Figure 2: A branches to B and C, both go on to D.
TEST(Postdominators, if_else_reconverges_behind_both_sides) {
  FunctionBuilder code;
  code.branch(3).nop().bra(4).nop().exit();  // A 0, B 1-2, C 3, D 4
  const Analysed a(code);
  EXPECT_EQ(a.reconvergence(0), 4u);
  EXPECT_EQ(a.reconvergence(1), 4u);
  EXPECT_EQ(a.reconvergence(3), 4u);
  EXPECT_EQ(a.reconvergence(4), kNoPc);
}

// MULTIPATH Figure 6: C, one side of A's branch, branches to D and E, which meet in F; B and F meet in G.
TEST(Postdominators, nested_if_reconverges_inside_the_outer_one) {
  FunctionBuilder code;
  code.branch(2).bra(7).branch(5).nop().bra(6).nop().nop().exit();  // A 0, B 1, C 2, D 3-4, E 5, F 6, G 7
  const Analysed a(code);
  EXPECT_EQ(a.reconvergence(0), 7u);
  EXPECT_EQ(a.reconvergence(2), 6u);
  EXPECT_EQ(a.reconvergence(6), 7u);
}

// MULTIPATH Figure 10: do { A: if (cond1) { B: break; } C: } while (cond2); D.
TEST(Postdominators, loop_with_a_break_reconverges_behind_the_loop) {
  FunctionBuilder code;
  code.nop().branch(4).branch(0).bra(5).nop().exit();  // A 0-1, C 2, 3 (to D), B 4, D 5
  const Analysed a(code);
  EXPECT_EQ(a.reconvergence(1), 5u);
  EXPECT_EQ(a.reconvergence(2), 5u);
  EXPECT_EQ(a.reconvergence(4), 5u);
}

TEST(Postdominators, if_without_else_reconverges_at_the_branch_target) {
  FunctionBuilder code;
  code.branch(2).nop().exit();
  EXPECT_EQ(Analysed(code).reconvergence(0), 2u);
}

// 0: to 3 or into the body, 1-2, which comes back behind its call, 6, or goes on; 4: to 7 or to the call, 5.
FunctionBuilder two_calls_of_a_body() {
  FunctionBuilder code;
  code.branch(3).nop().branch(6).call(1).nop().branch(7).bra(1).call(1).nop().nop().exit();
  return code;
}

TEST(Postdominators, branches_round_calls_of_one_body_reconverge_behind_each_call) {
  FunctionBuilder code = two_calls_of_a_body();
  const Analysed a(code);
  EXPECT_EQ(a.reconvergence(0), 3u);
  EXPECT_EQ(a.reconvergence(4), 7u);
  EXPECT_EQ(a.reconvergence(5), 6u);
}

// They have called from several places.
TEST(Postdominators, threads_that_part_at_the_end_of_a_body_meet_behind_all_calls) {
  FunctionBuilder code = two_calls_of_a_body();
  EXPECT_EQ(Analysed(code).reconvergence(2), 7u);
}

// 0: to 6, or into body A, 1-2, which goes on behind its call, 7, or to body B, 3-4, which goes on behind its call, 8,
// or to 9; 6: calls A; 7: calls B; 9: exit.
FunctionBuilder two_calls_of_two_bodies() {
  FunctionBuilder code;
  code.branch(6).nop().branch(7).call(1).nop().branch(8).call(2).bra(9).bra(1).call(1).bra(3).call(2).nop().exit();
  return code;
}

// Who calls B in between comes back first.
TEST(Postdominators, threads_that_part_at_the_end_of_a_body_do_not_meet_in_another_one) {
  FunctionBuilder code = two_calls_of_two_bodies();
  EXPECT_EQ(Analysed(code).reconvergence(2), 9u);
  EXPECT_EQ(Analysed(code).reconvergence(4), 9u);
}

// 0: into body A, 1-5, which calls itself, 2, to come back to 3; from 1 and 3 it goes on in body B, 4, and from its
// end, 5, to 6; 7: calls B; 8: behind that.
FunctionBuilder circle_round_another_body() {
  FunctionBuilder code;
  code.nop().branch(4).bra(1).call(1).nop().branch(8).call(2).branch(3).call(1).nop().bra(4).call(2).exit();
  return code;
}

// All come to the way out first, whatever else calls what they call.
TEST(Postdominators, threads_that_part_at_the_end_of_a_circle_pass_over_what_it_is_the_first_to_call) {
  FunctionBuilder code = circle_round_another_body();
  EXPECT_EQ(Analysed(code).reconvergence(5), 6u);
}

TEST(Postdominators, later_meetings_are_of_all_that_may_follow) {
  FunctionBuilder code = two_calls_of_two_bodies();
  const ControlFlowGraph graph(code.function());
  const std::vector<Pc> later = Postdominators(graph).later_meetings();
  ASSERT_EQ(later.size(), 10u);
  EXPECT_EQ(later[1], 9u);
  EXPECT_EQ(later[3], 9u);
  EXPECT_EQ(later[6], 7u);
  EXPECT_EQ(later[7], 8u);
  EXPECT_EQ(later[9], kNoPc);
}

TEST(Postdominators, there_are_no_later_meetings_without_calls) {
  FunctionBuilder code;
  code.branch(2).nop().exit();
  const ControlFlowGraph graph(code.function());
  EXPECT_TRUE(Postdominators(graph).later_meetings().empty());
}

TEST(Postdominators, two_exits_leave_only_the_exit_itself) {
  FunctionBuilder code;
  code.branch(2).exit().exit();
  const Analysed a(code);
  EXPECT_EQ(a.reconvergence(0), kNoPc);
  EXPECT_FALSE(a.postdominators.immediate(0).has_value());
}

TEST(Postdominators, guarded_exit_leaves_only_the_exit_itself) {
  FunctionBuilder code;
  code.exit().when(code.predicate()).nop().exit();
  EXPECT_EQ(Analysed(code).reconvergence(0), kNoPc);
}

TEST(Postdominators, irreducible_loop_reconverges_where_it_is_left) {
  FunctionBuilder code;
  code.branch(3).nop().branch(4).nop().branch(1).exit();  // 0 enters the loop {1-2, 3, 4} at 3 and at 1; 4 leaves it
  const Analysed a(code);
  EXPECT_EQ(a.reconvergence(0), 4u);  // 1-2 goes to 4 or falls into 3, 3 falls into 4
  EXPECT_EQ(a.reconvergence(2), 4u);
  EXPECT_EQ(a.reconvergence(4), 5u);
}

TEST(Postdominators, branches_in_an_endless_loop_still_meet_inside_it) {
  FunctionBuilder code;
  code.branch(2).nop().bra(0);  // if inside for(;;)
  const Analysed a(code);
  EXPECT_EQ(a.reconvergence(0), 2u);
  EXPECT_EQ(a.reconvergence(2), kNoPc);
}

TEST(Postdominators, branch_that_may_enter_an_endless_loop_meets_where_the_others_go_on) {
  FunctionBuilder code;
  code.branch(2).exit().bra(2);
  EXPECT_EQ(Analysed(code).reconvergence(0), 1u);
}

TEST(Postdominators, unreachable_code_does_not_move_a_reconvergence_point) {
  FunctionBuilder code;
  code.branch(3).bra(4).bra(1).nop().exit();  // 2 is unreachable and jumps into one side
  EXPECT_EQ(Analysed(code).reconvergence(0), 4u);
}

/// The definition: block p postdominates b if b cannot reach the exit once p is taken away.
bool postdominates(const ControlFlowGraph& graph, BlockId p, BlockId b) {
  if (p == b) return true;
  std::vector<BlockId> todo{b};
  std::vector<bool> seen(graph.blocks().size());
  while (!todo.empty()) {
    const BlockId at = todo.back();
    todo.pop_back();
    if (at == p || seen[at]) continue;
    seen[at] = true;
    if (graph.blocks()[at].exits) return false;
    for (BlockId successor : graph.blocks()[at].successors) todo.push_back(successor);
  }
  return true;
}

/// No endless loop can be entered from b: every block reachable from it reaches the exit.
bool must_end(const ControlFlowGraph& graph, BlockId b) {
  const BlockId none = static_cast<BlockId>(graph.blocks().size());
  std::vector<BlockId> todo{b};
  std::vector<bool> seen(graph.blocks().size());
  while (!todo.empty()) {
    const BlockId at = todo.back();
    todo.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    if (postdominates(graph, none, at)) return false;
    for (BlockId successor : graph.blocks()[at].successors) todo.push_back(successor);
  }
  return true;
}

TEST(Postdominators, agree_with_the_definition_on_random_graphs) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    FunctionBuilder code;
    const Pc size = 3 + random() % 12;
    for (Pc pc = 0; pc + 1 < size; ++pc) random() % 3 ? code.branch(random() % size) : code.bra(random() % size);
    code.exit();
    const Analysed a(code);
    const BlockId blocks = static_cast<BlockId>(a.graph.blocks().size());
    for (BlockId b = 0; b < blocks; ++b) {
      if (!must_end(a.graph, b)) continue;
      const std::optional<BlockId> nearest = a.postdominators.immediate(b);
      for (BlockId p = 0; p < blocks; ++p)
        if (p != b && postdominates(a.graph, p, b)) {
          ASSERT_TRUE(nearest && postdominates(a.graph, p, *nearest)) << "round " << round << ", block " << b;
        }
      if (nearest) {
        ASSERT_TRUE(*nearest != b && postdominates(a.graph, *nearest, b)) << "round " << round;
      }
    }
  }
}

/// By block, as Boost.Graph finds them: dominators of the reversed graph, from the exit, which has the number behind
/// the last block's. Its null vertex where no way leads to the exit.
std::vector<std::size_t> immediate_by_boost(const ControlFlowGraph& graph) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
  const std::size_t exit = graph.blocks().size();
  Graph reversed(exit + 1);
  for (std::size_t block = 0; block < exit; ++block) {
    for (const BlockId successor : graph.blocks()[block].successors) add_edge(successor, block, reversed);
    if (graph.blocks()[block].exits) add_edge(exit, block, reversed);
  }
  std::vector<std::size_t> immediate(exit + 1, boost::graph_traits<Graph>::null_vertex());
  boost::lengauer_tarjan_dominator_tree(
      reversed, exit, boost::make_iterator_property_map(immediate.begin(), get(boost::vertex_index, reversed)));
  return immediate;
}

TEST(Postdominators, are_boosts_dominators_of_the_reversed_graph) {
  std::mt19937 random(2);
  unsigned compared = 0;
  for (int round = 0; round < 200; ++round) {
    FunctionBuilder code;
    const Pc size = 20 + random() % 60;
    for (Pc pc = 0; pc + 1 < size; ++pc) random() % 4 != 0 ? code.branch(random() % size) : code.bra(random() % size);
    code.exit();
    const Analysed a(code);
    const std::vector<std::size_t> boosts = immediate_by_boost(a.graph);
    for (BlockId b = 0; b < a.graph.blocks().size(); ++b) {
      if (!must_end(a.graph, b)) continue;
      ASSERT_EQ(a.postdominators.immediate(b).value_or(a.graph.blocks().size()), boosts[b]) << "round " << round;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000u);
}

}  // namespace postdominators_test
}  // namespace warpfork::analysis
