#include "cuda/runtime/chosen_ptx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "cuda/image/fat_binary.h"
#include "cuda/runtime/api_error.h"
#include "cuda/runtime/kernel_registry.h"
#include "ptx/parser.h"
#include "unit/cuda/fat_wrapper.h"

namespace warpfork::cuda {
namespace chosen_ptx_test {

constexpr const char *kRuns = "ret;", *kIsRefused = "mapa.shared::cluster.u32 %r1, %r1, 1;";

/// PTX with a variable and a kernel of each body.
std::string ptx(unsigned architecture, const std::vector<std::string>& bodies) {
  std::string text = fmt::format(".version 8.0\n.target sm_{}\n.address_size 64\n.global .u32 total;\n", architecture);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    text += fmt::format(".visible .entry k{}() {{ .reg .b32 %r<2>; {} }}\n", i, bodies[i]);
  return text;
}

class ChosenPtxTest : public testing::Test {
 protected:
  ChosenPtx choose(const std::map<unsigned, std::vector<std::string>, std::greater<>>& kernels) {
    std::vector<std::uint32_t> architectures;
    for (const auto& [architecture, bodies] : kernels) architectures.push_back(architecture);
    return choose_ptx(architectures, [&](std::uint32_t architecture) {
      loaded_.push_back(architecture);
      return std::make_unique<simt::LoadedModule>(ptx::parse(ptx(architecture, kernels.at(architecture)), "t.ptx"),
                                                  memory_);
    });
  }

  simt::DeviceMemory memory_{1 << 20};
  std::vector<std::uint32_t> loaded_;
};

TEST_F(ChosenPtxTest, is_the_highest_if_all_its_kernels_run) {
  EXPECT_EQ(choose({{90, {kRuns}}, {75, {kRuns}}}).module->module().architecture(), 90u);
  EXPECT_THAT(loaded_, testing::ElementsAre(90));
}

TEST_F(ChosenPtxTest, is_the_next_lower_one_if_a_kernel_is_refused) {
  const ChosenPtx chosen = choose({{90, {kRuns, kIsRefused}}, {80, {kIsRefused, kIsRefused}}, {75, {kRuns, kRuns}}});
  EXPECT_EQ(chosen.module->module().architecture(), 75u);
  EXPECT_EQ(chosen.tried, "");
  EXPECT_EQ(chosen.note, "PTX of compute_75 is simulated, not of compute_90, of which a kernel is refused");
  EXPECT_EQ(memory_.allocations().size(), 1u);  // `total`, once
}

TEST_F(ChosenPtxTest, has_the_fewest_refused_kernels_if_all_have_some) {
  const ChosenPtx chosen = choose(
      {{90, {kRuns, kIsRefused, kIsRefused}}, {80, {kRuns, kRuns, kIsRefused}}, {75, {kIsRefused, kRuns, kRuns}}});
  EXPECT_EQ(chosen.module->module().architecture(), 80u);
  EXPECT_EQ(chosen.tried, "\n    tried: PTX of compute_90, compute_80, compute_75");
}

TEST_F(ChosenPtxTest, that_no_kernel_runs_of_is_told_with_what_was_tried) {
  EXPECT_THAT(
      [&] {
        choose({{90, {kIsRefused}}, {75, {"no instruction;"}}});
      },
      testing::ThrowsMessage<Error>(testing::AllOf(testing::HasSubstr("'mapa.shared::cluster.u32' is not supported"),
                                                   testing::EndsWith("\n    tried: PTX of compute_90, compute_75"))));
  EXPECT_TRUE(memory_.allocations().empty());
}

/// A fat binary with the entries of both.
std::vector<std::byte> joined(std::vector<std::byte> image, const std::vector<std::byte>& other) {
  image.insert(image.end(), other.begin() + FatBinary::kHeaderBytes, other.end());
  const std::uint64_t body = image.size() - FatBinary::kHeaderBytes;
  std::memcpy(image.data() + 8, &body, sizeof body);
  return image;
}

TEST_F(ChosenPtxTest, is_that_of_a_registered_image) {
  const std::vector<std::byte> image =
      joined(wrap_ptx(ptx(75, {kRuns, kIsRefused}), 75), wrap_ptx(ptx(90, {kIsRefused, kIsRefused}), 90));
  const FatWrapper wrapper{.image = image.data()};
  KernelRegistry registry("program", memory_, 32, {});
  CodeImage& added = registry.add_image(&wrapper);
  EXPECT_EQ(added.architecture, 90u);
  EXPECT_EQ(registry.architecture(), 75u);
  EXPECT_EQ(registry.take_notes().size(), 1u);
  EXPECT_EQ(registry.program(*registry.kernel_of(added, "k0")).module->architecture(), 75u);
  EXPECT_THAT(
      [&] { registry.program(*registry.kernel_of(added, "k1")); },
      testing::ThrowsMessage<ApiError>(testing::EndsWith("kernel: k1\n    tried: PTX of compute_90, compute_75")));
}

}  // namespace chosen_ptx_test
}  // namespace warpfork::cuda
