#include "compiler/relocatable_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cuda/image/fat_binary.h"
#include "unit/test_folder.h"

namespace warpfork::compiler {
namespace relocatable_code_test {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// A file that holds one fat binary with a unit of this body.
std::string file_of(const std::string& body) {
  const std::string path = test_folder() + "/linked.out";
  const auto bytes = cuda::wrap_ptx(".version 7.0\n.target sm_70\n.address_size 64\n" + body, 70);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
  return path;
}

// A program of clang 22 without that option launched nothing.
TEST(RelocatableCode, is_left_to_no_other_linker_to_register) {
  const auto words = [](unsigned version) { return relocatable_words("a.cu", version); };
  EXPECT_THAT(words(22), testing::AllOf(Contains("-fgpu-rdc"), Contains("--no-offload-new-driver")));
  EXPECT_THAT(words(14), Not(Contains("--no-offload-new-driver")));  // which does not know it
  EXPECT_EQ(words(14), words(14));
  EXPECT_NE(words(14), relocatable_words("b.cu", 14));
}

TEST(RelocatableCode, is_registered_as_one_image) {
  const std::string source = registration_source({"__cudaRegisterLinkedBinary_a", "__cudaRegisterLinkedBinary_b"});
  EXPECT_THAT(source, HasSubstr("void __cudaRegisterLinkedBinary_a(void (*callback)(void**), "));
  EXPECT_THAT(source, HasSubstr("void __cudaRegisterLinkedBinary_b(void (*callback)(void**), "));
  // Takes objects out of an archive.
  EXPECT_THAT(source, HasSubstr("wrappers[] = {&__fatbinwrap_a, &__fatbinwrap_b, };"));
}

TEST(RelocatableCode, is_known_by_the_names_that_it_needs) {
  const std::string path = test_folder() + "/object.o";
  std::ofstream(path) << "… __cudaRegisterLinkedBinary__nv_1 …";
  EXPECT_TRUE(may_hold_relocatable_code(path));
  std::ofstream(path) << "… __cudaRegisterFatBinary …";
  EXPECT_FALSE(may_hold_relocatable_code(path));
  EXPECT_FALSE(may_hold_relocatable_code("-lm"));
}

TEST(RelocatableCode, must_be_whole_when_it_is_linked) {
  const std::string call = ".visible .entry k() { call f; ret; }\n";
  EXPECT_EQ(missing_function(file_of(".func f { ret; }\n" + call)), std::nullopt);
  EXPECT_EQ(missing_function(file_of(".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n")),
            std::nullopt);
  EXPECT_EQ(missing_function(file_of(".extern .func f;\n" + call)), "f");
}

}  // namespace relocatable_code_test
}  // namespace warpfork::compiler
