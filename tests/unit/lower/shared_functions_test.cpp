// Functions with one body for all their calls, though they do not call themselves.
#include "lower/shared_functions.h"

#include <gmock/gmock.h>

#include "unit/lower/lowered.h"

namespace warpfork::lower {
namespace shared_functions_test {

using testing::ElementsAre;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// Which of the functions `names` of a kernel that calls `a` twice are shared, beyond so many instructions.
std::vector<bool> shared(const std::string& functions, const std::vector<std::string>& names, std::size_t limit = 0) {
  const ptx::Module module = ptx::parse(module_text("call a;\ncall a;\nret;", functions), "t.ptx");
  Callees callees(module);
  const ptx::Function& kernel = *module.find_function("k");
  const SharedFunctions shared(kernel, callees, Circles(module, kernel, callees), limit);
  std::vector<bool> found;
  for (const std::string& name : names) found.push_back(shared.any() && shared.contains(*module.find_function(name)));
  return found;
}

const std::string kLong = repeated("bar.sync 0;", 200);

TEST(SharedFunctions, are_those_that_are_long_and_called_in_several_places) {
  const std::string functions =
      ".func c() { ret; }\n.func b() { " + kLong + "ret; }\n" + ".func a() { call b; call c; call c; ret; }\n";
  EXPECT_THAT(shared(functions, {"a", "b", "c"}), ElementsAre(true, false, false));
}

TEST(SharedFunctions, are_long_by_what_is_copied_into_them) {
  const std::string calls = repeated("call b;", 4);
  const std::string middle = ".func b() { " + repeated("bar.sync 0;", 40) + "ret; }\n";
  EXPECT_THAT(shared(middle + ".func a() { " + calls + "ret; }\n", {"a", "b"}), ElementsAre(true, false));
  const std::string shared_below = ".func b() { " + kLong + "ret; }\n.func a() { " + calls + "ret; }\n";
  EXPECT_THAT(shared(shared_below, {"a", "b"}), ElementsAre(false, true));
}

TEST(SharedFunctions, are_none_up_to_the_limit) {
  const std::string functions = ".func a() { " + kLong + "ret; }\n";
  EXPECT_THAT(shared(functions, {"a"}, 3 + 2 * 201), ElementsAre(false));
  EXPECT_THAT(shared(functions, {"a"}, 2 + 2 * 201), ElementsAre(true));
}

TEST(SharedFunctions, are_none_where_a_parameter_has_no_size) {
  EXPECT_THAT(shared(".func b(.param .b8 x[]) { ret; }\n.func a() { " + kLong + "ret; }\n", {"a"}), ElementsAre(true));
  const std::string called =
      ".func b(.param .b8 x[]) { ret; }\n.func a() { .param .b8 y[4]; " + kLong + "call b, (y); ret; }\n";
  EXPECT_THAT(shared(called, {"a"}), ElementsAre(false));
}

// `a` and `b`, of 102 instructions each, call one another: 306, as `a` counts with what it calls.
TEST(SharedFunctions, of_a_circle_have_bodies_for_each_function_by_which_it_is_entered_up_to_the_limit) {
  const std::string middle = repeated("bar.sync 0;", 100);
  const std::string functions =
      ".func b();\n.func a() { " + middle + "call b; ret; }\n.func b() { " + middle + "call a; ret; }\n";
  const auto parts = [&](const std::string& calls, std::size_t limit) {
    const ptx::Module module = ptx::parse(module_text(calls + "ret;", functions), "t.ptx");
    const ptx::Function& kernel = *module.find_function("k");
    Callees callees(module);
    const Circles circles(module, kernel, callees);
    const SharedFunctions shared(kernel, callees, circles, limit);
    EXPECT_TRUE(shared.any());
    return shared.parts_by_entrance(*circles.of(*module.find_function("a")));
  };
  const std::string by_one = repeated("call a;", 9), by_both = by_one + "call b;";
  EXPECT_TRUE(parts(by_one, 306));
  EXPECT_FALSE(parts(by_one, 305));
  EXPECT_TRUE(parts(by_both, 2 * 306));
  EXPECT_FALSE(parts(by_both, 2 * 306 - 1));
}

// Nothing waits on a stack: while the body runs, it is nobody else's.
TEST(SharedFunctions, are_branched_to_and_come_back_by_a_number) {
  const std::string functions = ".func (.reg .u32 %s) a(.reg .u32 %n) { add.u32 %s, %n, 1; " + kLong + "ret; }\n";
  const ptx::Function function =
      lowered("call (%r0), a, (%r1);\ncall (%r2), a, (%r0);\nadd.u32 %r3, %r2, %r1;\nret;", functions, 0);
  std::vector<std::string> code = lines(function);
  std::erase(code, "bar.sync 0;");
  EXPECT_THAT(code, ElementsAre("mov.u32 %n, %r1;", "mov.u32 %return, 0;", "add.u32 %s, %n, 1;",
                                testing::StartsWith("setp.eq.u32 %returns"), testing::HasSubstr("bra behind call"),
                                "mov.u32 %r0, %s;", "mov.u32 %n, %r0;", "mov.u32 %return, 1;", "bra recursion; -> 2",
                                "mov.u32 %r2, %s;", "add.u32 %r3, %r2, %r1;", "ret;"));
  EXPECT_THAT(function.variables, testing::IsEmpty());
}

// A variable of its own lies where it always does; one of a function that calls itself lies on the stack.
TEST(SharedFunctions, have_their_variables_once) {
  const std::string functions = ".func a() { .local .b8 x[8]; .reg .b64 %a; mov.u64 %a, x; " + kLong + "ret; }\n";
  const ptx::Function function = lowered("call a;\ncall a;\nret;", functions, 0);
  ASSERT_EQ(function.variables.size(), 1u);
  EXPECT_EQ(function.variables[0].bytes, 8u);
}

}  // namespace shared_functions_test
}  // namespace warpfork::lower
