#include "compiler/back_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace back_end_test {

using testing::Contains;
using testing::Not;

// clang 19 and 22 end the default of a switch that names all cases by an exit: every branch in a loop around it had its
// reconvergence point there, and a __ballot_sync() of the loop's threads was refused.
TEST(BackEnd, writes_no_exits_where_nobody_comes_to) {
  const auto words = [](unsigned version) { return back_end_words_for_llvm(CompileOptions(), version); };
  EXPECT_THAT(words(22), Contains("-trap-unreachable"));
  EXPECT_THAT(words(19), Contains("-trap-unreachable"));
  EXPECT_THAT(words(14), Not(Contains("-trap-unreachable")));  // whose back end writes nothing there
}

}  // namespace back_end_test
}  // namespace warpfork::compiler
