#include "compiler/addresses_in_variables.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace addresses_in_variables_test {

const std::string kValue = "getelementptr (i8, i8* bitcast ([3 x i32]* @a to i8*), i64 4)";

TEST(AddressesInVariables, make_a_pointer_an_array_of_one) {
  EXPECT_EQ(with_addresses_in_arrays("@p = internal addrspace(1) global i8* " + kValue + ", align 8\n"),
            "@p = internal addrspace(1) global [1 x i8*] [i8* " + kValue + "], align 8\n");
  EXPECT_EQ(
      with_addresses_in_arrays("@p = addrspace(4) constant i32 (i32)** bitcast (i8* " + kValue + " to x), comdat"),
      "@p = addrspace(4) constant [1 x i32 (i32)**] [i32 (i32)** bitcast (i8* " + kValue + " to x)], comdat");
}

TEST(AddressesInVariables, whoever_names_the_pointer_means_the_first_element) {
  const std::string definition = "@p.q = addrspace(1) global i8* " + kValue + "\n";
  const std::string text = with_addresses_in_arrays(definition +
                                                    "%1 = load i8*, i8* addrspace(1)* @p.q\n"
                                                    "%2 = load i8*, i8* addrspace(1)* @p.q2\n"
                                                    "call void asm \"@p.q\", \"l\"(i8* addrspace(1)* @p.q)\n");
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            "%1 = load i8*, i8* addrspace(1)* bitcast ([1 x i8*] addrspace(1)* @p.q to i8* addrspace(1)*)\n"
            "%2 = load i8*, i8* addrspace(1)* @p.q2\n"
            "call void asm \"@p.q\", \"l\"(i8* addrspace(1)* bitcast ([1 x i8*] addrspace(1)* @p.q to i8* "
            "addrspace(1)*))\n");
}

TEST(AddressesInVariables, other_variables_stay) {
  for (const std::string& line :
       {std::string(""), std::string("@p = addrspace(1) global i32* addrspacecast (i32 addrspace(1)* @a to i32*)"),
        std::string("@p = addrspace(1) global i32* addrspacecast (i32 addrspace(1)* getelementptr ([3 x i32], [3 x "
                    "i32] addrspace(1)* @a, i32 0, i32 0) to i32*)"),
        std::string("@p = addrspace(1) global i32* null, align 8"),
        "@p = addrspace(1) global [2 x i8*] [i8* " + kValue + ", i8* null]",
        "@p = global %struct.A { i8* " + kValue + " }", "@p = global ptr " + kValue,
        std::string("%1 = getelementptr i8, i8* %2, i64 4"), std::string("@p = external addrspace(1) global i32*")})
    EXPECT_EQ(with_addresses_in_arrays(line), line);
}

}  // namespace addresses_in_variables_test
}  // namespace warpfork::compiler
