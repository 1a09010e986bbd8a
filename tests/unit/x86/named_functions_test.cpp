// Functions by the names that people give them.
#include "x86/named_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "x86/marked_functions.h"

namespace warpfork::x86 {
namespace named_functions_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

/// Names as GCC 12 gives them; beside each what c++filt makes of it.
const SymbolTable& table() {
  static const SymbolTable table({{0x10, 4, true, "_Z4worki"},                   // work(int)
                                  {0x18, 4, true, "_Z4worki.isra.0"},            // work(int) [clone .isra.0]
                                  {0x20, 4, true, "_Z4worki._omp_fn.0"},         // work(int) [clone ._omp_fn.0]
                                  {0x28, 4, true, "_Z4workic.cold"},             // work(int, char) [clone .cold]
                                  {0x30, 4, true, "_ZN1a4stepEi"},               // a::step(int)
                                  {0x38, 4, true, "_ZN1a4stepEid"},              // a::step(int, double)
                                  {0x40, 4, true, "_ZN1a4PoolC1Ev"},             // a::Pool::Pool()
                                  {0x48, 4, true, "_ZN1a4PoolC2Ev"},             // a::Pool::Pool()
                                  {0x50, 4, true, "_Z5scaleIfEvPT_S1_.part.0"},  // void scale<float>(float*, float*)
                                  {0x58, 4, true, "step"},
                                  {0x60, 4, true, "_Z6kerneli._omp_fn.0"},  // kernel(int), which was inlined
                                  {0x68, 4, true, "fill_all._omp_fn.1"}});
  return table;
}

std::set<std::uint64_t> addresses(const std::string& name) { return NamedFunctions(name, table(), "./p").addresses(); }

TEST(NamedFunctions, of_cpp_have_mangled_and_demangled_names) {
  for (const char* name : {"_Z4worki", "work(int)", "work"})
    EXPECT_THAT(addresses(name), ElementsAre(0x10, 0x18)) << name;
  EXPECT_THAT(addresses("a::step(int, double)"), ElementsAre(0x38));
  EXPECT_THAT(addresses("a::Pool::Pool"), ElementsAre(0x40, 0x48));
}

TEST(NamedFunctions, of_templates_are_found_with_and_without_their_result) {
  EXPECT_THAT(addresses("scale<float>"), ElementsAre(0x50));
  EXPECT_THAT(addresses("void scale<float>(float*, float*)"), ElementsAre(0x50));
}

TEST(NamedFunctions, of_the_symbol_table_go_before_demangled_ones) {
  EXPECT_THAT(addresses("step"), ElementsAre(0x58));
}

TEST(NamedFunctions, are_refused_where_several_may_be_meant) {
  EXPECT_THAT([] { addresses("a::step"); },
              ThrowsMessage<Error>("./p: has several functions 'a::step'\n  give one with its parameters:\n"
                                   "    a::step(int)\n    a::step(int, double)"));
}

TEST(NamedFunctions, that_there_are_not_have_near_names_of_the_same_kind) {
  EXPECT_THAT([] { addresses("work(long)"); }, ThrowsMessage<Error>(HasSubstr("near names: work(int)")));
  EXPECT_THAT([] { addresses("_Z4workl"); }, ThrowsMessage<Error>(HasSubstr("near names: _Z4worki")));
  EXPECT_THAT([] { addresses("wrok"); }, ThrowsMessage<Error>(HasSubstr("\n  one that was inlined has no name: ")));
}

// Edit distance would tell "step" for both.
TEST(NamedFunctions, without_their_scope_or_template_arguments_are_told_those_that_have_them) {
  EXPECT_THAT([] { addresses("Pool"); }, ThrowsMessage<Error>(HasSubstr("near names: a::Pool::Pool()\n")));
  EXPECT_THAT([] { addresses("scale"); },
              ThrowsMessage<Error>(HasSubstr("near names: void scale<float>(float*, float*)\n")));
}

TEST(NamedFunctions, of_a_region_have_their_open_mp_bodies) {
  EXPECT_EQ(request_text({"", {"work(int)"}, 0}, table(), "p").substr(0, 30), "region 10\nregion 18\nregion 20\n");
}

TEST(NamedFunctions, of_a_region_may_be_inlined_if_their_open_mp_bodies_are_not) {
  EXPECT_THAT(request_text({"", {"kernel"}, 0}, table(), "p"), StartsWith("region 60\nmark"));
  EXPECT_THAT(request_text({"", {"fill_all"}, 0}, table(), "p"), StartsWith("region 68\nmark"));
  EXPECT_THAT(
      [] {
        request_text({"fill_all", {}, 0}, table(), "p");
      },
      ThrowsMessage<Error>(HasSubstr("has no function 'fill_all'")));
}

TEST(FunctionList, is_parted_at_commas_between_functions) {
  EXPECT_THAT(function_list("main,work"), ElementsAre("main", "work"));
  EXPECT_THAT(function_list("work(int, char),f<A, B>(A),operator->(C)"),
              ElementsAre("work(int, char)", "f<A, B>(A)", "operator->(C)"));
  EXPECT_THAT(
      function_list("operator<(A, B),operator<<(C, D),operator<=>(E, F),operator()<G, H>(I, J),operator< <K>(L, M),f"),
      ElementsAre("operator<(A, B)", "operator<<(C, D)", "operator<=>(E, F)", "operator()<G, H>(I, J)",
                  "operator< <K>(L, M)", "f"));
}

}  // namespace named_functions_test
}  // namespace warpfork::x86
