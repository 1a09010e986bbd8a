#include "report/kernel_name.h"

#include <gtest/gtest.h>

namespace warpfork::report {
namespace kernel_name_test {

TEST(KernelName, loses_parameters_and_anonymous_namespace) {
  EXPECT_EQ(readable_kernel_name("_ZN12_GLOBAL__N_16expandEPKi"), "expand");
  EXPECT_EQ(readable_kernel_name("_Z3addPfS_i"), "add");
}

TEST(KernelName, keeps_template_arguments_but_loses_the_result_type) {
  EXPECT_EQ(readable_kernel_name("_Z5scaleIfEvPT_S0_"), "scale<float>");
  EXPECT_EQ(readable_kernel_name("_Z5scaleIjEvPT_S0_"), "scale<unsigned int>");
}

/// Numba tells a function's versions apart by such tags.
TEST(KernelName, loses_abi_tags) {
  EXPECT_EQ(readable_kernel_name("_ZN3app3addB2v1B4x_2bEi"), "app::add");
  EXPECT_EQ(readable_kernel_name("_Z5scaleB2v1IfEvPT_"), "scale<float>");
}

TEST(KernelName, without_its_scopes_keeps_those_of_its_arguments) {
  EXPECT_EQ(unscoped_name("app::sort<app::Key>"), "sort<app::Key>");
  EXPECT_EQ(unscoped_name("app::Box<a::B>::fill"), "fill");
  EXPECT_EQ(unscoped_name("run(int)::{lambda(a::B)#1}::operator()"), "operator()");
  EXPECT_EQ(unscoped_name("app::operator<"), "operator<");
  EXPECT_EQ(unscoped_name("vecadd"), "vecadd");
}

TEST(KernelName, may_be_given_as_the_ptx_has_it_or_as_tables_show_it) {
  const std::string add = "_ZN3app3addB2v1Ei";
  for (const std::string& name : {add, std::string("app::add"), std::string("add")})
    EXPECT_TRUE(names_kernel(name, add)) << name;
  EXPECT_FALSE(names_kernel("app", add));
  EXPECT_FALSE(names_kernel("dd", add));
}

TEST(KernelName, of_c_stays_as_it_is) {
  EXPECT_EQ(readable_kernel_name("vecadd"), "vecadd");
  EXPECT_EQ(readable_kernel_name("f"), "f");
  EXPECT_EQ(readable_kernel_name("_Znonsense"), "_Znonsense");
}

TEST(KernelName, is_readable_wherever_it_stands_in_a_text) {
  EXPECT_EQ(with_readable_names("launch of '_Z3addPfS_i' behind _ZN12_GLOBAL__N_16expandEPKi: refused"),
            "launch of 'add' behind expand: refused");
  EXPECT_EQ(with_readable_names("no name, a_Z3addPfS_i, _Znonsense"), "no name, a_Z3addPfS_i, _Znonsense");
  EXPECT_EQ(with_readable_names("_Z3addPfS_i"), "add");
}

}  // namespace kernel_name_test
}  // namespace warpfork::report
