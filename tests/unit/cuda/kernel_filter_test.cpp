#include "cuda/kernel_filter.h"

#include <gtest/gtest.h>

namespace warpfork::cuda {
namespace {

// Names by the Itanium C++ ABI, "External Names": of ns::f<int>(int*), of bfs_kernel(int) in an anonymous namespace.
constexpr const char* kTemplate = "_ZN2ns1fIiEEvPT_";
constexpr const char* kAnonymous = "_ZN12_GLOBAL__N_110bfs_kernelEi";

TEST(KernelFilter, NameAsItsAuthorWroteItMatches) {
  EXPECT_TRUE(KernelFilter("^ns::f<int>$").matches(kTemplate));
  EXPECT_TRUE(KernelFilter("^bfs_kernel$").matches(kAnonymous));
  EXPECT_FALSE(KernelFilter("^f").matches(kTemplate));
  EXPECT_FALSE(KernelFilter("ns::f<float>").matches(kTemplate));
}

TEST(KernelFilter, ParametersMatchToo) {
  EXPECT_TRUE(KernelFilter("ns::f<int>\\(int\\*\\)$").matches(kTemplate));
  EXPECT_FALSE(KernelFilter("\\(float").matches(kTemplate));
}

TEST(KernelFilter, NameInThePtxMatches) {
  EXPECT_TRUE(KernelFilter("^_ZN2ns1f").matches(kTemplate));
  EXPECT_TRUE(KernelFilter("^scale$").matches("scale"));
  EXPECT_FALSE(KernelFilter("^scale$").matches("scale2"));
}

TEST(KernelFilter, EmptyExpressionMatchesEverything) { EXPECT_TRUE(KernelFilter("").matches("scale")); }

TEST(KernelFilter, PartOfANameIsEnoughAndAlternativesAreAllowed) {
  EXPECT_TRUE(KernelFilter("scale|bfs").matches(kAnonymous));
  EXPECT_FALSE(KernelFilter("scale|dfs").matches(kAnonymous));
}

}  // namespace
}  // namespace warpfork::cuda
