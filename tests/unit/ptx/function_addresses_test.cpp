// Which functions have an address (PTX ISA, "call", "mov", "Initializers").
#include "ptx/function_addresses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace warpfork::ptx {
namespace function_addresses_test {

using testing::ElementsAre;
using testing::IsEmpty;

/// Names of those of a module with functions a, b and c, these variables, and an entry with this body.
std::vector<std::string> named(const std::string& variables, const std::string& body) {
  const Module module = parse(
      ".version 7.0\n.target sm_70\n.address_size 64\n.func a() { ret; }\n.func b() { ret; }\n.func c() { ret; }\n" +
          variables + "\n.entry k() { .reg .b64 %d<2>;\n" + body + "\nret; }\n",
      "t.ptx");
  std::vector<std::string> names;
  for (const Function* function : functions_with_addresses(module)) names.push_back(function->name);
  return names;
}

TEST(FunctionAddresses, are_taken_in_initialisers_whole_or_in_parts) {
  EXPECT_THAT(named(".global .u64 table[3] = {c, 0, a};", ""), ElementsAre("a", "c"));
  EXPECT_THAT(named(".global .b8 part = 0xff(b);", ""), ElementsAre("b"));
}

TEST(FunctionAddresses, are_taken_by_instructions) {
  EXPECT_THAT(named("", "mov.b64 %d0, b; mov.b64 %d1, b;"), ElementsAre("b"));
}

TEST(FunctionAddresses, are_not_taken_by_calls_but_by_tables_of_targets) {
  EXPECT_THAT(named("", "call b; b0: .callprototype _ (); call %d0, b0;"), IsEmpty());
  EXPECT_THAT(named("", "T: .calltargets c, a; call %d0, T;"), ElementsAre("a", "c"));
}

TEST(FunctionAddresses, are_those_of_entries_too) {
  EXPECT_THAT(named(".global .u64 kernel = k;", ""), ElementsAre("k"));
  EXPECT_THAT(named("", "mov.b64 %d0, k;"), ElementsAre("k"));
}

TEST(FunctionAddresses, of_an_alias_are_those_of_the_function) {
  EXPECT_THAT(named(".func other();\n.alias other, b;\n.global .u64 pointer = other;", ""), ElementsAre("b"));
}

}  // namespace function_addresses_test
}  // namespace warpfork::ptx
