#include "compiler/source_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/compiler.h"
#include "process/find_program.h"
#include "unit/test_folder.h"

namespace warpfork::compiler {
namespace source_lines_test {

TEST(SourceLines, instruction_without_a_line_has_that_of_the_one_before) {
  EXPECT_EQ(without_line_zero("\t.loc\t1 7 0\n\tmov.u32 \t%r1, 0;\n\t.loc\t1 0 9\n\tret;"),
            "\t.loc\t1 7 0\n\tmov.u32 \t%r1, 0;\n\n\tret;");
  EXPECT_EQ(without_line_zero("\t.loc\t1 10 0\n\t.loc 2 100 0\n"), "\t.loc\t1 10 0\n\t.loc 2 100 0\n");
}

TEST(SourceLines, assembly_of_the_programs_own_stays) {
  const std::string ptx = "\t// begin inline asm\n.loc 1 0 0\n\t// end inline asm\n";
  EXPECT_EQ(without_line_zero(ptx), ptx);
}

// A call is one of the header's functions, of which nothing is to be seen.
TEST(SourceLines, what_the_headers_functions_do_is_at_the_line_that_calls_them) {
  if (process::find_program("clang++").empty()) GTEST_SKIP() << "there is no clang";
  const std::string source = std::string(test_folder()) + "/lines.cu", output = source + ".ptx";
  std::ofstream(source) << "#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n"
                           "__global__ void k(float* out, __half* half) {\n  unsigned i = blockIdx.x + threadIdx.y;\n"
                           "  __syncthreads();\n  out[i] = sinf(out[i]) + atomicAdd(out, 1);\n"
                           "  half[i] = __hadd(half[i], half[0]);\n  cooperative_groups::this_grid().sync();\n"
                           "  if (!i) __trap();\n  out[1] = float((unsigned __int128)i * i / blockDim.x);\n}\n";
  const std::vector<std::string> words{source, "-ptx", "-o", output};
  ASSERT_EQ(compile(words, {TEST_TOOLCHAIN, TEST_CUDART_FOLDER}), 0);
  std::ifstream file(output);
  const std::string ptx(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(ptx, testing::ContainsRegex("\\.loc\t1 4 [0-9]+\n\tmov.u32 \t%r[0-9]+, %ctaid.x"));
  EXPECT_THAT(ptx, testing::ContainsRegex("\\.loc\t1 9 "));
  EXPECT_THAT(ptx, testing::ContainsRegex("\\.loc\t1 10 "));
  EXPECT_THAT(ptx, testing::Not(testing::ContainsRegex("\\.file\t2")));
}

}  // namespace source_lines_test
}  // namespace warpfork::compiler
