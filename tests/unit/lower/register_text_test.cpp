// The allocation as people read it.
#include "lower/register_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "unit/lower/allocated.h"

namespace warpfork::lower {
namespace register_text_test {

using testing::HasSubstr;

std::string text_of(const std::string& body, unsigned limit = 99) {
  AllocationOptions options;
  options.limit = limit;
  Allocated allocated(body, options);
  return print_registers(allocated.function(), allocated.allocation(), 32);
}

TEST(RegisterText, shows_places_and_where_they_are_held) {
  EXPECT_EQ(text_of("ld.global.u32 %r1, [64];\nld.global.u64 %rd1, [72];\nsetp.eq.u32 %p3, %r1, 0;\n"
                    "@%p3 st.global.u64 [72], %rd1;\nret;"),
            "kernel k: 5 instructions\n4 registers a thread (128 a warp), 1 predicate\n\n"
            "place     register         held at pc\n"
            "R0        %r1              0-2\n"
            "R2:R3     %rd1             1-3\n"
            "P0        %p3              2-3\n");
}

TEST(RegisterText, shows_every_range_of_a_register_that_is_used_again) {
  EXPECT_THAT(text_of("mov.u32 %r1, 1;\nst.global.u32 [64], %r1;\nbar.sync 0;\nmov.u32 %r1, 2;\n"
                      "st.global.u32 [64], %r1;\nret;"),
              HasSubstr("R0        %r1              0-1 3-4\n"));
}

TEST(RegisterText, names_what_was_spilled) {
  const std::string body =
      "ld.global.u32 %r1, [64];\nld.global.u32 %r2, [68];\nld.global.u32 %r3, [72];\nL:\nadd.u32 %r2, %r2, %r3;\n"
      "setp.lt.u32 %p0, %r2, 100;\n@%p0 bra L;\nst.global.u32 [64], %r1;\nst.global.u32 [64], %r2;\nret;";
  EXPECT_THAT(text_of(body, 2), HasSubstr("spilled: %r1 to bytes 0-3 of 4 of local memory\n"));
}

TEST(RegisterText, stays_within_80_columns) {
  std::string body;
  for (int i = 0; i < 60; ++i) body += "mov.u32 %r1, 1;\nst.global.u32 [64], %r1;\nbar.sync 0;\n";
  std::istringstream lines(text_of(body + "ret;"));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u);
}

}  // namespace register_text_test
}  // namespace warpfork::lower
