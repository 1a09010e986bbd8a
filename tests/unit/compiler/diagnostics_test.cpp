#include "compiler/diagnostics.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace diagnostics_test {

const std::string kFirst =
    "In file included from a.cu:1:\nIn file included from b.h:1:\nc.h:3:5: warning: x [-Wx]\n  x\n  ^\nc.h:2:1: note: "
    "y\n";
const std::string kSecond = "a.cu:9:1: warning: z [-Wz]\n";

TEST(Diagnostics, what_both_passes_say_is_said_once) {
  const std::string host = kFirst + kSecond + "2 warnings generated when compiling for host.\n";
  EXPECT_EQ(said_once(kFirst + kSecond + "2 warnings generated when compiling for sm_70.\n", host), host);
}

TEST(Diagnostics, what_one_pass_alone_says_is_not_lost) {
  const std::string one = "1 warning generated when compiling for sm_70.\n";
  EXPECT_EQ(said_once(kFirst + kSecond, kSecond), kFirst + kSecond);
  EXPECT_EQ(said_once(kSecond + kFirst + one, kSecond), kFirst + kSecond);
  EXPECT_EQ(said_once(kSecond + one, ""), kSecond);
  EXPECT_EQ(said_once("", kFirst), kFirst);
  EXPECT_EQ(said_once("clang: said\nsomething", ""), "clang: said\nsomething");
}

TEST(Diagnostics, of_missing_libraries_of_nvidias_say_why_they_are) {
  const std::string remedy = remedies("a.cu:1:10: fatal error: 'cublas_v2.h' file not found\n#include <cublas_v2.h>\n");
  EXPECT_NE(remedy.find("NVIDIA's libraries are not there"), std::string::npos);
  EXPECT_EQ(remedies("a.cu:1:10: \033[0;1;31mfatal error: \033[0m\033[1m'cufft.h' file not found\033[0m\n"), remedy);
  EXPECT_EQ(remedies("a.cu:1:10: fatal error: 'cublas.h' file not found"), remedy);
  EXPECT_EQ(remedies("a.cu:1:10: fatal error: 'mine.h' file not found\n#include \"mine.h\" // as 'cublas.h'\n"), "");
}

TEST(Diagnostics, of_launches_from_kernels_say_who_compiles_them) {
  const std::string remedy =
      remedies("a.cu:4:84: error: reference to __global__ function 'child' in __global__ function\n");
  EXPECT_NE(remedy.find("build the program by nvcc -rdc=true"), std::string::npos);
  EXPECT_EQ(
      remedies(
          "a.cu:4:41: error: reference to __host__ function '__cudaPushCallConfiguration' in __device__ function\n"),
      remedy);
  EXPECT_EQ(
      remedies("a.cu:4:84: \033[0;1;31merror: \033[0m\033[1mreference to __global__ function 'child' in __global__ "
               "function\033[0m\n"),  // on a terminal
      remedy);
  EXPECT_EQ(remedies("a.cu:4:41: error: reference to __host__ function 'f' in __global__ function\n"), "");
  EXPECT_EQ(remedies(""), "");
  const std::string said = "a.cu:4:84: error: reference to __global__ function 'child' in __global__ function\n";
  EXPECT_EQ(said_once(said, kFirst), said + kFirst + remedy);
}

}  // namespace diagnostics_test
}  // namespace warpfork::compiler
