#include "compiler/device_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::compiler {
namespace device_code_test {

constexpr std::string_view kPtx = R"(
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0
)
;
.extern .func helper(.param .b32 a);
.visible .entry k() { ret; }
)";

TEST(DeviceCode, names_the_functions_that_nobody_defines) {
  EXPECT_THAT(missing_functions(kPtx), testing::ElementsAre("helper", "vprintf"));
  EXPECT_TRUE(missing_functions(".visible .func f() { ret; }").empty());
  EXPECT_TRUE(missing_functions(".extern .func").empty());
}

TEST(DeviceCode, tells_what_to_do_about_each_kind_of_missing_function) {
  const auto error_of = [](const char* name, bool with_libclc) {
    try {
      require_complete(std::string(".extern .func ") + name + "()", "x.cu", with_libclc, false);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error_of("malloc", true), "no error");
  EXPECT_THAT(error_of("_Z3sind", false), testing::HasSubstr("apt install libclc-NN"));
  EXPECT_THAT(error_of("__nv_j0", true), testing::HasSubstr("function j0, which is not provided"));
  EXPECT_THAT(error_of("cudaLaunchDevice", true), testing::HasSubstr("launches from kernels are not supported"));
  EXPECT_THAT(error_of("other", true), testing::HasSubstr("defined nowhere"));
}

TEST(DeviceCode, another_file_may_have_what_relocatable_code_calls) {
  EXPECT_NO_THROW(require_complete(kPtx, "x.cu", true, true));
  EXPECT_THROW(require_complete(kPtx, "x.cu", true, false), Error);
  EXPECT_THROW(require_complete(".extern .func __nv_j0()", "x.cu", true, true), Error);
  EXPECT_THROW(require_complete(".extern .func _Z3sind()", "x.cu", false, true), Error);
}

TEST(DeviceCode, system_calls_are_not_missed) {
  EXPECT_NO_THROW(require_complete(kPtx.substr(0, kPtx.find(".extern .func helper")), "x.cu", true, false));
}

}  // namespace device_code_test
}  // namespace warpfork::compiler
