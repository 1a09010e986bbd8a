#include "ptx/call_parts.h"

#include <gtest/gtest.h>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace call_parts_test {

/// The first call of an entry, with two functions that it may name.
Instruction call_of(const std::string& call) {
  return parse_text(entry_text(".param .b32 r; .param .b64 a; .param .b32 b;\n" + call) +
                    ".func g { ret; }\n.func (.param .b32 x) h (.param .b64 y, .param .b32 z) { ret; }\n")
      .find_function("k")
      ->body.at(0);
}

TEST(CallParts, a_bare_call_has_a_function_alone) {
  const Instruction call = call_of("call g;");
  const CallParts parts = parts_of(call);
  EXPECT_EQ(parts.function->name, "g");
  EXPECT_TRUE(parts.results.empty());
  EXPECT_TRUE(parts.arguments.empty());
}

TEST(CallParts, results_stand_before_the_function_and_arguments_behind_it) {
  const Instruction call = call_of("call.uni (r), h, (a, b);");
  const CallParts parts = parts_of(call);
  EXPECT_EQ(parts.function->name, "h");
  ASSERT_EQ(parts.results.size(), 1u);
  EXPECT_EQ(parts.results[0].as<SymbolOperand>()->name, "r");
  ASSERT_EQ(parts.arguments.size(), 2u);
  EXPECT_EQ(parts.arguments[1].as<SymbolOperand>()->name, "b");
}

TEST(CallParts, a_call_through_a_register_has_lists_and_no_function) {
  const Instruction call = call_of("P: .callprototype (.param .b32 _) _ (.param .b64 _);\ncall (r), %rd0, (a), P;");
  const CallParts parts = parts_of(call);
  EXPECT_EQ(parts.function, nullptr);
  ASSERT_EQ(parts.results.size(), 1u);
  EXPECT_EQ(parts.results[0].as<SymbolOperand>()->name, "r");
  ASSERT_EQ(parts.arguments.size(), 1u);
  EXPECT_EQ(parts.arguments[0].as<SymbolOperand>()->name, "a");
}

}  // namespace call_parts_test
}  // namespace warpfork::ptx
