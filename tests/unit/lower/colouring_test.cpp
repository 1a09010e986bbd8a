// Our colouring, which also knows pairs and files, against Boost.Graph's for registers of one size.
#include "lower/colouring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/sequential_vertex_coloring.hpp>
#include <random>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace colouring_test {

/// Straight code that writes and reads eight registers at random; all of them are read at the end.
std::string random_body(std::mt19937& random) {
  std::string body;
  for (int i = 0; i < 40; ++i)
    body += fmt::format("add.u32 %r{}, %r{}, %r{};\n", random() % 8, random() % 8, random() % 8);
  for (int i = 0; i < 3; ++i) body += fmt::format("st.global.u32 [64], %r{};\n", random() % 8);
  return body + "ret;";
}

std::vector<unsigned> colours_by_boost(const InterferenceGraph& graph, const std::vector<ptx::RegisterId>& order,
                                       std::size_t registers) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  Graph same(registers);
  for (ptx::RegisterId id = 0; id < registers; ++id)
    for (const ptx::RegisterId other : graph.neighbours(id))
      if (id < other) add_edge(id, other, same);
  std::vector<std::size_t> vertices(order.begin(), order.end());  // it wants all of them: those that are not used last
  for (std::size_t id = 0; id < registers; ++id)
    if (std::ranges::find(order, id) == order.end()) vertices.push_back(id);
  std::vector<std::size_t> colours(registers);
  boost::sequential_vertex_coloring(same,
                                    boost::make_iterator_property_map(vertices.begin(), boost::identity_property_map()),
                                    boost::make_iterator_property_map(colours.begin(), boost::identity_property_map()));
  return {colours.begin(), colours.end()};
}

TEST(Colouring, is_boosts_sequential_colouring_where_registers_have_one_size) {
  std::mt19937 random(43);
  for (int i = 0; i < 50; ++i) {
    const ptx::Function function = lowered(random_body(random));
    const analysis::ControlFlowGraph flow(function);
    const analysis::Liveness liveness(function, flow);
    std::vector<RegisterFile> files(function.registers.size(), RegisterFile::Vector);
    const InterferenceGraph graph(function, flow, liveness, files);
    for (const ColouringOrder rule : {ColouringOrder::LiveRange, ColouringOrder::SmallestLast}) {
      const std::vector<ptx::RegisterId> order =
          colouring_order(function, graph, by_appearance(function, liveness), rule);
      const RegisterAllocation ours = colour(function, graph, files, order, {});
      const std::vector<unsigned> boosts = colours_by_boost(graph, order, function.registers.size());
      for (const ptx::RegisterId id : order) EXPECT_EQ(ours.places[id].number, boosts[id]);
    }
  }
}

TEST(Colouring, takes_what_has_the_fewest_neighbours_last) {
  const ptx::Function function =
      lowered("add.u32 %r1, %r1, %r2;\nadd.u32 %r3, %r1, %r1;\nst.global.u32 [64], %r3;\nret;");
  const analysis::ControlFlowGraph flow(function);
  const analysis::Liveness liveness(function, flow);
  const std::vector<RegisterFile> files(function.registers.size(), RegisterFile::Vector);
  const InterferenceGraph graph(function, flow, liveness, files);
  const auto order = colouring_order(function, graph, by_appearance(function, liveness), ColouringOrder::SmallestLast);
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(function.registers[order[2]].name, "%r3");  // it interferes with none, the others with each other
}

TEST(Colouring, takes_an_argument_cut_to_eight_bits_for_no_copy) {
  const char* const callee = ".func f(.reg .b8 %a) { st.global.u8 [64], %a; ret; }";
  EXPECT_TRUE(copies(lowered("mov.u32 %r1, 300;\ncall f, (%r1);\nst.global.u32 [68], %r1;\nret;", callee)).empty());
}

}  // namespace colouring_test
}  // namespace warpfork::lower
