// Textures and surfaces under both executors: random images, random instructions on them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "fast_run.h"
#include "random_image.h"

namespace warpfork::simt {
namespace reference_image_test {

std::string described(const ImageModule& module) {
  const Image& image = module.image;
  return fmt::format("{}\n{} channels of {} bytes, kind {}, {} x {} x {}, layout {}, modes {} {} {}{}{}{}", module.body,
                     image.channels, image.channel_bytes, static_cast<int>(image.channel), image.width, image.height,
                     image.depth, static_cast<int>(image.layout), static_cast<int>(image.address_mode[0]),
                     static_cast<int>(image.address_mode[1]), static_cast<int>(image.address_mode[2]),
                     image.is_filtered ? ", filtered" : "", image.is_normalized ? ", normalized" : "",
                     image.reads_fractions ? ", fractions" : "");
}

/// The first result that differs; empty if there is none.
std::string disagreement(const ImageModule& module, std::uint64_t seed) {
  const std::string ptx = module.ptx();
  const Dim3 grid{1, 1, 1}, block{module.threads(), 1, 1};
  const auto expected = run_module_reference(ptx, grid, block, module.results());
  const auto found = run_module_fast(ptx, grid, block, module.results(), seed);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == found[i]) continue;
    const std::string place = i < 4 * module.threads() ? fmt::format("result {} of thread {} at {:x}", i % 4, i / 4,
                                                                     fmt::join(module.coordinates[i / 4], " "))
                                                       : fmt::format("word {}", i - 4 * module.threads());
    return fmt::format("{} is {:#x} in the reference, {:#x} in the fast executor: {}", place, expected[i], found[i],
                       described(module));
  }
  return "";
}

void agree(ImageModule (*make)(Random&)) {
  Random random(2012);
  for (std::uint64_t i = 0; i < 300; ++i) ASSERT_EQ(disagreement(make(random), 2 + i % 3), "") << "module " << i;
}

TEST(ImageDifferential, fetches_agree) { agree(random_fetch); }

TEST(ImageDifferential, gathers_agree) { agree(random_gather); }

TEST(ImageDifferential, loads_from_surfaces_agree) { agree(random_surface_load); }

TEST(ImageDifferential, stores_to_surfaces_agree) { agree(random_surface_store); }

}  // namespace reference_image_test
}  // namespace warpfork::simt
