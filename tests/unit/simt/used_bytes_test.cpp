// What of a vector load counts as the program's: the elements that somebody reads (docs/checks.md).
#include "simt/used_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ptx/parser.h"
#include "simt/loaded_module.h"

namespace warpfork::simt {
namespace used_bytes_test {

using ::testing::ElementsAre;
using ::testing::FieldsAre;

/// Of the first instruction.
std::vector<UsedBytes::Piece> used(const std::string& body) {
  DeviceMemory memory(1 << 20);
  const std::string registers = ".reg .pred %p;\n.reg .b32 %r<8>;\n.reg .b64 %d<4>;\n.shared .align 16 .b8 s[64];\n";
  LoadedModule loaded(ptx::parse(".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry k()\n{\n" + registers +
                                     body + "\nret;\n}",
                                 "used.ptx"),
                      memory);
  const UsedBytes bytes(loaded.kernel("k"));
  return {bytes.of(0).begin(), bytes.of(0).end()};
}

TEST(UsedBytes, of_a_single_register_are_all) {
  EXPECT_THAT(used("ld.shared.u64 %d0, [s];"), ElementsAre(FieldsAre(0, 8)));
}

TEST(UsedBytes, of_a_vector_are_those_of_the_elements_that_are_read) {
  const std::string load = "ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [s];\n";
  EXPECT_THAT(used(load + "st.shared.v2.u32 [s+32], {%r3, %r1};"), ElementsAre(FieldsAre(4, 4), FieldsAre(12, 4)));
  EXPECT_THAT(used("ld.shared.v2.u64 {%d0, %d1}, [s];\nst.shared.u64 [s+32], %d1;"), ElementsAre(FieldsAre(8, 8)));
}

TEST(UsedBytes, of_an_element_that_is_written_again_before_it_is_read_are_none) {
  EXPECT_THAT(used("ld.shared.v2.u32 {%r0, %r1}, [s];\nmov.u32 %r0, 1;\nst.shared.v2.u32 [s+32], {%r0, %r1};"),
              ElementsAre(FieldsAre(4, 4)));
}

// On one of two ways.
TEST(UsedBytes, of_an_element_that_may_be_read_are_its_own) {
  EXPECT_THAT(used("ld.shared.v2.u32 {%r0, %r1}, [s];\nsetp.eq.u32 %p, %r0, 0;\n@%p bra DONE;\n"
                   "st.shared.u32 [s+32], %r1;\nDONE:"),
              ElementsAre(FieldsAre(0, 4), FieldsAre(4, 4)));
}

TEST(UsedBytes, of_a_sink_are_none_and_of_a_vector_that_nobody_reads_are_all) {
  EXPECT_THAT(used("ld.shared.v2.u32 {_, %r1}, [s];\nst.shared.u32 [s+32], %r1;"), ElementsAre(FieldsAre(4, 4)));
  EXPECT_THAT(used("ld.volatile.shared.v2.u32 {%r0, %r1}, [s];"), ElementsAre(FieldsAre(0, 8)));
}

TEST(UsedBytes, of_a_vector_that_is_stored_are_all) {
  EXPECT_THAT(used("st.shared.v2.u32 [s], {%r0, %r1};"), ElementsAre(FieldsAre(0, 8)));
}

}  // namespace used_bytes_test
}  // namespace warpfork::simt
