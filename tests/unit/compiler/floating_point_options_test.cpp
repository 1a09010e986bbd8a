#include "compiler/floating_point_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace floating_point_options_test {

using testing::ElementsAre;

TEST(FloatingPointOptions, nothing_is_said_of_what_is_usual) { EXPECT_TRUE(device_words({}).empty()); }

TEST(FloatingPointOptions, each_has_words_of_clang_or_of_the_headers) {
  EXPECT_THAT(device_words({.flush_subnormals = true}),
              ElementsAre("-fgpu-flush-denormals-to-zero", "-DWARPFORK_FLUSH_SUBNORMALS"));
  EXPECT_THAT(device_words({.precise_division = false}), ElementsAre("-mllvm", "-nvptx-prec-divf32=1"));
  EXPECT_THAT(device_words({.precise_roots = false}), ElementsAre("-DWARPFORK_APPROXIMATE_ROOTS"));
  EXPECT_THAT(device_words({.fuse = false}), ElementsAre("-ffp-contract=off"));
}

TEST(FloatingPointOptions, fast_ones_divide_by_the_approximate_instruction) {
  FloatingPointOptions options;
  options.make_fast();
  EXPECT_THAT(device_words(options),
              testing::IsSupersetOf({"-nvptx-prec-divf32=0", "-fcuda-approx-transcendentals",
                                     "-DWARPFORK_APPROXIMATE_ROOTS", "-fgpu-flush-denormals-to-zero"}));
}

}  // namespace floating_point_options_test
}  // namespace warpfork::compiler
