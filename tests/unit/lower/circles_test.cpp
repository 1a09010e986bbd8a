// Which functions are recursive.
#include "lower/circles.h"

#include <gmock/gmock.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace circles_test {

/// Of a module, what `of()` says of each function whose name is given.
std::vector<std::optional<unsigned>> circles(const std::string& functions, const std::vector<std::string>& names) {
  const ptx::Module module = ptx::parse(module_text("call a;\nret;", functions), "t.ptx");
  Callees callees(module);
  const Circles circles(module, *module.find_function("k"), callees);
  std::vector<std::optional<unsigned>> found;
  for (const std::string& name : names) found.push_back(circles.of(*module.find_function(name)));
  return found;
}

TEST(Circles, hold_no_function_that_is_only_called_twice) {
  EXPECT_THAT(circles(".func c() { ret; }\n.func b() { call c; ret; }\n.func a() { call b; call c; ret; }\n",
                      {"k", "a", "b", "c"}),
              testing::Each(std::nullopt));
}

TEST(Circles, hold_a_function_that_calls_itself_alone) {
  const auto found = circles(".func b() { call b; ret; }\n.func a() { call b; ret; }\n", {"a", "b"});
  EXPECT_EQ(found[0], std::nullopt);
  EXPECT_NE(found[1], std::nullopt);
}

TEST(Circles, are_one_where_a_way_leads_round_and_two_where_it_leads_on) {
  const auto found = circles(
      ".func a();\n.func d() { call d; ret; }\n.func c() { call a; ret; }\n.func b() { call c; call d; ret; }\n"
      ".func a() { call b; ret; }\n",
      {"a", "b", "c", "d"});
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
  EXPECT_NE(found[0], found[3]);
  EXPECT_NE(found[3], std::nullopt);
}

TEST(Circles, close_through_pointers) {
  const auto found = circles(
      ".func b();\n.global .u64 pointer = b;\n.func a() { .reg .b64 %f; P: .callprototype _ (); call %f, P; ret; }\n"
      ".func b() { call a; ret; }\n",
      {"a", "b"});
  EXPECT_NE(found[0], std::nullopt);
  EXPECT_EQ(found[0], found[1]);
}

TEST(Circles, are_not_looked_for_where_calls_are_nested_too_deep) {
  std::string functions = ".func f0() { ret; }\n";
  for (int i = 1; i < 1000; ++i)
    functions += ".func f" + std::to_string(i) + "() { call f" + std::to_string(i - 1) + "; ret; }\n";
  EXPECT_FALSE(lowered_lines("call f998;\nret;", functions).empty());
  EXPECT_THAT(refusal("call f999;\nret;", functions),
              testing::HasSubstr("function 'f0' is called at the end of 1000 nested calls; more are not supported"));
}

}  // namespace circles_test
}  // namespace warpfork::lower
