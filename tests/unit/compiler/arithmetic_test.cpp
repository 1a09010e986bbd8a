// What nvcc's options about arithmetic make of device code: the instructions are those that nvcc 13 writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/compiler.h"
#include "process/find_program.h"

namespace warpfork::compiler {
namespace arithmetic_test {

using testing::HasSubstr;

class Arithmetic : public testing::Test {
 protected:
  void SetUp() override {
    if (process::find_program("clang++").empty()) GTEST_SKIP() << "there is no clang";
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// PTX of a kernel that stores expressions of floats a and b.
  std::string ptx(std::vector<std::string> options, const std::vector<std::string>& expressions) {
    std::ofstream source(folder_ + "/kernel.cu");
    source << "__global__ void k(float* out, float a, float b) {\n";
    for (const std::string& expression : expressions) source << "  *out++ = " << expression << ";\n";
    source << "}\n";
    source.close();
    options.insert(options.end(), {"-ptx", folder_ + "/kernel.cu", "-o", folder_ + "/kernel.ptx"});
    EXPECT_EQ(compile(options, {TEST_TOOLCHAIN, TEST_CUDART_FOLDER}), 0);
    std::ifstream file(folder_ + "/kernel.ptx");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  std::string folder_ = testing::TempDir() + "warpfork_arithmetic_" + std::to_string(getpid());
};

MATCHER_P(HasInstructions, names, "") {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    if (arg.find(name + " ") != std::string::npos) return true;
    *result_listener << "no " << name << " in " << arg;
    return false;
  });
}
using Names = std::vector<std::string>;

TEST_F(Arithmetic, is_precise_and_fused) {
  EXPECT_THAT(ptx({}, {"a / b", "sqrtf(a)", "a * b + a"}),
              HasInstructions(Names{"div.rn.f32", "sqrt.rn.f32", "fma.rn.f32"}));
}

// nvcc 13's conversions; C++ leaves open what is out of range.
TEST_F(Arithmetic, makes_small_integers_of_the_low_bits_of_wide_ones) {
  EXPECT_THAT(ptx({}, {"static_cast<unsigned char>(a)", "static_cast<short>(b)"}),
              HasInstructions(Names{"cvt.rzi.u32.f32", "cvt.rzi.s32.f32"}));
}
TEST_F(Arithmetic, low_bits_are_as_many_as_the_integer_has) {
  EXPECT_THAT(ptx({}, {"int(static_cast<unsigned char>(a))"}), HasInstructions(Names{"cvt.rzi.u32.f32", "and.b32"}));
  EXPECT_THAT(ptx({}, {"int(static_cast<unsigned char>(300.0f))"}), HasSubstr("1110441984"));  // 44.0f, 0x42300000
}

TEST_F(Arithmetic, fast_is_what_the_special_function_unit_does) {
  EXPECT_THAT(ptx({"-use_fast_math", "-arch=sm_75"},
                  {"a / b", "sqrtf(a)", "sinf(a)", "expf(a)", "log10f(b)", "powf(a, b)", "tanhf(a)"}),
              HasInstructions(Names{"div.approx.ftz.f32", "sqrt.approx.ftz.f32", "sin.approx.ftz.f32",
                                    "ex2.approx.ftz.f32", "lg2.approx.ftz.f32", "tanh.approx.f32"}));
}

TEST_F(Arithmetic, is_as_imprecise_as_the_options_say) {
  EXPECT_THAT(ptx({"-prec-div=false", "-prec-sqrt=false", "-fmad=false"}, {"a / b", "sqrtf(a)", "a * b + b"}),
              HasInstructions(Names{"div.full.f32", "sqrt.approx.f32", "mul.rn.f32", "add.rn.f32"}));
}

TEST_F(Arithmetic, intrinsics_flush_as_operators_do) {
  EXPECT_THAT(ptx({"-ftz=true"}, {"a / b", "__fadd_rz(a, b)", "__frcp_ru(a)", "__float2int_rd(a)",
                                  "__fmaf_ieee_rn(a, b, a)", "fmaxf(a, b)"}),
              HasInstructions(Names{"div.rn.ftz.f32", "add.rz.ftz.f32", "rcp.rp.ftz.f32", "cvt.rmi.ftz.s32.f32",
                                    "fma.rn.f32", "max.ftz.f32"}));
}

TEST_F(Arithmetic, kernel_has_its_own_number_of_registers) {
  const std::string text = ptx({"-maxrregcount=32"}, {"a; } template <int n> __global__ void __maxnreg__(n) more() {} "
                                                      "template __global__ void more<64>(); __device__ void f() { 0"});
  EXPECT_THAT(text, HasSubstr("\n.maxnreg 32\n{\n"));
  EXPECT_THAT(text, HasSubstr("\n.maxnreg 64\n{\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr(".minnctapersm")));
}

TEST_F(Arithmetic, unoptimized_device_code_keeps_its_variables_in_memory) {
  EXPECT_THAT(ptx({}, {"a + b"}), testing::Not(HasSubstr(".local")));
  EXPECT_THAT(ptx({"-G"}, {"a + b"}), HasSubstr(".local"));
}

TEST_F(Arithmetic, architecture_newer_than_clang_is_what_the_program_sees) {
  const std::string text = ptx({"-arch=sm_90", "-maxrregcount=32"}, {"__CUDA_ARCH__"});
  EXPECT_THAT(text, HasSubstr("\n.target sm_90\n"));
  EXPECT_THAT(text, HasSubstr("1147207680"));  // 900.0f, 0x44610000
  EXPECT_THAT(text, HasSubstr("\n.maxnreg 32\n{\n"));
}

TEST_F(Arithmetic, architecture_older_than_clangs_code_is_what_the_program_sees) {
  const std::string text = ptx({"-arch=sm_20"}, {"__CUDA_ARCH__", "__ballot(a > b)"});
  EXPECT_THAT(text, HasSubstr("\n.target sm_20\n"));
  EXPECT_THAT(text, HasSubstr("1128792064"));  // 200.0f, 0x43480000
  EXPECT_THAT(text, HasSubstr("vote.ballot.b32"));
}

// llvm-nm --undefined-only nvptx64--nvidiacl.bc, of libclc-22
TEST_F(Arithmetic, has_what_the_mathematics_of_newer_clangs_calls) {
  const std::string text = ptx({"-DWARPFORK_LIBCLC_CALLS"}, {"a"});
  for (const char* name : {"isinfd", "isinff", "log", "logf", "rsqrt", "rsqrtf", "sinpi", "sinpif", "sqrt", "sqrtf"})
    EXPECT_THAT(text, HasSubstr(std::string(" __nv_") + name + "(")) << name;
  EXPECT_THAT(ptx({}, {"a"}), testing::Not(HasSubstr("__nv_")));
}

TEST_F(Arithmetic, language_is_cxx17_unless_the_options_say_another) {
  EXPECT_THAT(ptx({}, {"__cplusplus"}), HasSubstr("1212479936"));              // 201703.0f, 0x4844f9c0
  EXPECT_THAT(ptx({"-std=c++14"}, {"__cplusplus"}), HasSubstr("1212460672"));  // 201402.0f, 0x4844ae80
}

}  // namespace arithmetic_test
}  // namespace warpfork::compiler
