#include "compiler/anonymous_variables.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace anonymous_variables_test {

// As clang 14 writes them.
TEST(AnonymousVariables, are_the_hosts_to_set_and_to_read) {
  EXPECT_EQ(
      with_anonymous_variables("@_ZN12_GLOBAL__N_11nE = internal addrspace(1) global i32 3, align 4\n"
                               "@_ZN1a12_GLOBAL__N_11cE = internal addrspace(4) global [2 x i32] zeroinitializer"),
      "@_ZN12_GLOBAL__N_11nE = addrspace(1) externally_initialized global i32 3, align 4\n"
      "@_ZN1a12_GLOBAL__N_11cE = addrspace(4) externally_initialized global [2 x i32] zeroinitializer");
}

TEST(AnonymousVariables, are_not_those_that_are_static) {
  for (const char* name : {"_ZL1x", "_ZN5outerL1xE", "_ZN12_GLOBAL__N_1L5LL2abE"}) EXPECT_TRUE(is_static(name)) << name;
  for (const char* name : {"", "x", "L", "L1xy", "_ZN12_GLOBAL__N_15L1abcE", "_ZN1aL1b1xE", "_ZN1AI2L1E1vE"})
    EXPECT_FALSE(is_static(name)) << name;
}

TEST(AnonymousVariables, are_no_constants_and_none_of_functions_and_other_memory) {
  for (const char* line :
       {"", "@_ZN12_GLOBAL__N_12ccE = internal addrspace(4) constant i32 4, align 4",
        "@_ZZN12_GLOBAL__N_11fEvE5count = internal addrspace(1) global i32 0, align 4",
        "@_ZN12_GLOBAL__N_14tileE = internal addrspace(3) global i32 undef, align 4",
        "@_ZL1n = internal addrspace(1) global i32 3, align 4", "  %1 = load i32, i32* @_ZN12_GLOBAL__N_11nE",
        "@_ZN12_GLOBAL__N_11tE.const = private unnamed_addr constant i32 7"})
    EXPECT_EQ(with_anonymous_variables(line), line);
}

}  // namespace anonymous_variables_test
}  // namespace warpfork::compiler
