// What spilling makes of a text, and that its interference graph is the one of that text.
#include "lower/spilling.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "lower/colouring.h"
#include "unit/lower/allocated.h"

namespace warpfork::lower {
namespace spilling_test {

using testing::ElementsAre;

std::vector<RegisterFile> files_of(const ptx::Function& function) {
  std::vector<RegisterFile> files;
  for (const ptx::Register& reg : function.registers)
    files.push_back(reg.type == ptx::ScalarType::Pred ? RegisterFile::Predicate : RegisterFile::Vector);
  return files;
}

/// What is known of a function for its colouring.
struct Facts {
  explicit Facts(const ptx::Function& function)
      : flow(function),
        liveness(function, flow),
        files(files_of(function)),
        graph(function, flow, liveness, files),
        count(function.registers.size()) {}

  analysis::ControlFlowGraph flow;
  analysis::Liveness liveness;
  std::vector<RegisterFile> files;
  InterferenceGraph graph;
  std::size_t count;
};

/// By register, those that interfere with it.
std::vector<std::vector<ptx::RegisterId>> all_neighbours(const InterferenceGraph& graph, std::size_t registers) {
  std::vector<std::vector<ptx::RegisterId>> all;
  for (ptx::RegisterId id = 0; id < registers; ++id)
    all.emplace_back(graph.neighbours(id).begin(), graph.neighbours(id).end());
  return all;
}

/// A kernel and the spilling of its registers.
struct Spilled {
  explicit Spilled(const std::string& body)
      : function(lowered(body)),
        facts(function),
        spilling(function, facts.flow, facts.liveness, facts.files, facts.graph) {}

  void spill(const std::vector<std::string>& names) {
    std::vector<ptx::RegisterId> ids;
    for (const std::string& name : names) ids.push_back(register_named(function, name));
    spilling.spill(ids);
  }

  ptx::Function function;
  Facts facts;
  Spilling spilling;
};

TEST(Spilling, puts_64_bits_to_an_aligned_place) {
  Spilled kernel("ret;");
  kernel.spill({"%r1", "%rd1"});
  const std::vector<SpilledRegister> spilled = kernel.spilling.write();
  ASSERT_EQ(spilled.size(), 2u);
  EXPECT_EQ(spilled[0].offset, 0u);
  EXPECT_EQ(spilled[1].offset, 8u);
  EXPECT_EQ(kernel.function.variables.back().bytes, 16u);
}

TEST(Spilling, loads_before_an_instruction_and_stores_behind_it) {
  Spilled kernel("ld.global.v2.u32 {%r1, %r2}, [64];\nadd.u32 %r1, %r1, %r2;\nret;");
  kernel.spill({"%r2", "%r1"});
  kernel.spilling.write();
  EXPECT_THAT(lines(kernel.function), ElementsAre("ld.global.v2.u32 {%r1, %r2}, [64];",
                                                  "st.local.b32 [%spilled+4], %r1;", "st.local.b32 [%spilled], %r2;",
                                                  "ld.local.b32 %r1, [%spilled+4];", "ld.local.b32 %r2, [%spilled];",
                                                  "add.u32 %r1, %r1, %r2;", "st.local.b32 [%spilled+4], %r1;", "ret;"));
}

TEST(Spilling, goes_nearer_to_the_instruction_with_what_is_chosen_later) {
  Spilled kernel("ld.global.v2.u32 {%r1, %r2}, [64];\nst.global.v2.u32 [64], {%r1, %r2};\nret;");
  kernel.spill({"%r1"});
  kernel.spill({"%r2"});
  kernel.spilling.write();
  EXPECT_THAT(lines(kernel.function),
              ElementsAre("ld.global.v2.u32 {%r1, %r2}, [64];", "st.local.b32 [%spilled+4], %r2;",
                          "st.local.b32 [%spilled], %r1;", "ld.local.b32 %r1, [%spilled];",
                          "ld.local.b32 %r2, [%spilled+4];", "st.global.v2.u32 [64], {%r1, %r2};", "ret;"));
}

// Eight values are alive at once, so that with three places five of them lie beyond, the last one by five.
TEST(Spilling, chooses_as_many_at_once_as_make_half_the_room) {
  Spilled kernel(
      "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [64];\nld.global.v4.u32 {%r4, %r5, %r6, %r7}, [80];\n"
      "st.global.v4.u32 [64], {%r0, %r1, %r2, %r3};\nst.global.v4.u32 [80], {%r4, %r5, %r6, %r7};\nret;");
  const RegisterAllocation coloured = colour(kernel.function, kernel.facts.graph, kernel.facts.files,
                                             by_appearance(kernel.function, kernel.facts.liveness), {});
  EXPECT_EQ(kernel.spilling.choose(coloured, 3).size(), 3u);
  EXPECT_EQ(kernel.spilling.choose(coloured, 7).size(), 1u);
}

/// Moves, sums, pairs, guards and branches to any of eight places among them.
std::string random_line(std::mt19937& random) {
  const auto reg = [&] { return fmt::format("%r{}", random() % 8); };
  const std::string guard = random() % 3 == 0 ? "@%p0 " : "";
  const auto first = random() % 8;
  switch (random() % 6) {
    case 0:
      return fmt::format("{}mov.u32 {}, {};\n", guard, reg(), reg());
    case 1:
      return fmt::format("{}ld.global.v2.u32 {{%r{}, %r{}}}, [64];\n", guard, first, (first + 1) % 8);
    case 2:
      return fmt::format("setp.lt.u32 %p0, {}, {};\n@%p0 bra L{};\n", reg(), reg(), random() % 8);
    case 3:
      return fmt::format("{0}add.u64 %rd{1}, %rd{2}, %rd{1};\n", guard, random() % 4, random() % 4);
    default:
      return fmt::format("{}add.u32 {}, {}, {};\n", guard, reg(), reg(), reg());
  }
}

std::string random_body(std::mt19937& random) {
  std::string body;
  for (int i = 0; i < 48; ++i) body += (i % 6 == 0 ? fmt::format("L{}:\n", i / 6) : "") + random_line(random);
  return body + "ret;";
}

TEST(Spilling, keeps_the_graph_and_the_order_of_the_text_that_it_writes) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    Spilled kernel(random_body(random));
    kernel.spill({"%r1", "%r5", "%rd2"});
    kernel.spill({"%r2"});
    kernel.spill({"%rd1", "%r0"});
    const std::vector<ptx::RegisterId> order = kernel.spilling.by_appearance();
    kernel.spilling.write();
    const Facts anew(kernel.function);
    EXPECT_EQ(all_neighbours(kernel.facts.graph, anew.count), all_neighbours(anew.graph, anew.count));
    EXPECT_EQ(order, by_appearance(kernel.function, anew.liveness));
  }
}

}  // namespace spilling_test
}  // namespace warpfork::lower
