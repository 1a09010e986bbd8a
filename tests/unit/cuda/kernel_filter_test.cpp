#include "cuda/kernel_filter.h"

#include <gtest/gtest.h>

namespace warpfork::cuda {
namespace kernel_filter_test {

// Names by the Itanium C++ ABI, "External Names": of ns::f<int>(int*), of bfs_kernel(int) in an anonymous namespace.
constexpr const char* kTemplate = "_ZN2ns1fIiEEvPT_";
constexpr const char* kAnonymous = "_ZN12_GLOBAL__N_110bfs_kernelEi";

TEST(KernelFilter, name_as_its_author_wrote_it_matches) {
  EXPECT_TRUE(KernelFilter("^ns::f<int>$").matches(kTemplate));
  EXPECT_TRUE(KernelFilter("^bfs_kernel$").matches(kAnonymous));
  EXPECT_FALSE(KernelFilter("^f").matches(kTemplate));
  EXPECT_FALSE(KernelFilter("ns::f<float>").matches(kTemplate));
}

TEST(KernelFilter, parameters_match_too) {
  EXPECT_TRUE(KernelFilter("ns::f<int>\\(int\\*\\)$").matches(kTemplate));
  EXPECT_FALSE(KernelFilter("\\(float").matches(kTemplate));
}

TEST(KernelFilter, name_in_the_ptx_matches) {
  EXPECT_TRUE(KernelFilter("^_ZN2ns1f").matches(kTemplate));
  EXPECT_TRUE(KernelFilter("^scale$").matches("scale"));
  EXPECT_FALSE(KernelFilter("^scale$").matches("scale2"));
}

TEST(KernelFilter, empty_expression_matches_everything) { EXPECT_TRUE(KernelFilter("").matches("scale")); }

TEST(KernelFilter, part_of_a_name_is_enough_and_alternatives_are_allowed) {
  EXPECT_TRUE(KernelFilter("scale|bfs").matches(kAnonymous));
  EXPECT_FALSE(KernelFilter("scale|dfs").matches(kAnonymous));
}

}  // namespace kernel_filter_test
}  // namespace warpfork::cuda
