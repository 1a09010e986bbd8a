#include "explain/explainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "gpu/device.h"
#include "ptx/parser.h"
#include "simt/loaded_module.h"
#include "unit/test_folder.h"

namespace warpfork::explain {
namespace explainer_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

constexpr const char* kModule =
    ".version 6.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry first() { ret; }\n"
    ".visible .entry _Z6secondv() { bar.sync 0; ret; }\n"
    ".visible .entry third() { ret; }\n";

class ExplainerTest : public ::testing::Test {
 protected:
  ExplainerTest() : loaded_(ptx::parse(kModule, "module.ptx"), memory_), device_(gpu::MachineSpec()) {
    request_.result_file = test_folder() + "/explanation.json";
    std::filesystem::remove(request_.result_file);
  }

  /// What the launch took.
  Cycle launch(Explainer& explainer, const char* kernel) {
    return launch(explainer, device_, kernel, {2, 3, 1}, {48, 1, 1});
  }
  Cycle launch(Explainer& explainer, gpu::Device& device, const char* kernel, Dim3 grid, Dim3 block) {
    simt::Launch launch;
    launch.program = &loaded_.kernel(kernel);
    launch.memory = &memory_;
    launch.grid = grid;
    launch.block = block;
    gpu::LaunchOptions options;
    options.listener = explainer.begin(launch, device.spec());
    const Cycle cycles = device.run(launch, options).cycles;
    if (options.listener) explainer.end();
    return cycles;
  }

  /// The life of the second warp's place under tbc, in a block of 33 threads.
  std::string second_of_33_threads(const std::string& permutation) {
    gpu::MachineSpec machine = device_.spec();
    machine.divergence.mechanism = "tbc";
    machine.divergence.lane_permutation = permutation;
    gpu::Device device(machine);
    request_.warp = 1;
    Explainer explainer(request_);
    launch(explainer, device, "first", {1, 1, 1}, {33, 1, 1});
    return result().text;
  }
  Result result() const { return read_result(request_.result_file); }

  simt::DeviceMemory memory_{1 << 20};
  simt::LoadedModule loaded_;
  gpu::Device device_;
  Request request_;
};

TEST_F(ExplainerTest, tells_of_the_first_launch_if_no_kernel_is_named) {
  Explainer explainer(request_);
  launch(explainer, "first");
  EXPECT_TRUE(explainer.is_done());
  EXPECT_THAT(result().text, HasSubstr("kernel first, launch 1, block 0,0,0, warp 0, under pdom on "));
  EXPECT_THAT(result().graph, HasSubstr("digraph \"first\""));
}

TEST_F(ExplainerTest, finds_a_kernel_by_its_readable_name_and_the_number_of_its_launch) {
  request_.kernel = "second";
  request_.launch_number = 2;
  request_.block = {1, 2, 0};
  request_.warp = 1;
  Explainer explainer(request_);
  for (const char* kernel : {"first", "_Z6secondv", "first"}) launch(explainer, kernel);
  EXPECT_FALSE(explainer.is_done());
  launch(explainer, "_Z6secondv");
  EXPECT_THAT(result().text, HasSubstr("kernel second, launch 2, block 1,2,0, warp 1, under"));
  EXPECT_THAT(result().text, HasSubstr("1111111111111111"));  // 48 threads: the second warp has 16
  EXPECT_THAT(result().text, HasSubstr("\n2 warp instructions, 16.0 lanes on average"));
}

TEST_F(ExplainerTest, goes_on_counting_in_another_process) {
  request_.kernel = "first";
  request_.launch_number = 2;
  Explainer one(request_);
  launch(one, "first");
  Explainer other(request_);
  launch(other, "first");
  EXPECT_THAT(result().text, HasSubstr("launch 2"));
}

TEST_F(ExplainerTest, the_place_of_a_last_warp_may_hold_threads_of_full_ones) {
  const std::string text = second_of_33_threads("identity");
  EXPECT_THAT(text, HasSubstr("00000000000000000000000000000001  ret;"));
  EXPECT_THAT(text, Not(HasSubstr("permuted")));
}

// The second warp's key is 31.
TEST_F(ExplainerTest, shows_lanes_where_threads_have_others_than_those_of_their_numbers) {
  const std::string text = second_of_33_threads("mirror-odd");
  EXPECT_THAT(text, HasSubstr("10000000000000000000000000000000  ret;"));
  EXPECT_THAT(text, HasSubstr("\nLanes are permuted: mirror-odd; thread t of"));
}

TEST_F(ExplainerTest, does_not_change_what_the_launch_takes) {
  simt::Launch launch;
  launch.program = &loaded_.kernel("_Z6secondv");
  launch.memory = &memory_;
  launch.grid = {2, 3, 1};
  launch.block = {48, 1, 1};
  gpu::Device alone(device_.spec());
  const Cycle cycles = alone.run(launch, {}).cycles;
  Explainer explainer(request_);
  gpu::LaunchOptions options;
  options.listener = explainer.begin(launch, device_.spec());
  EXPECT_EQ(device_.run(launch, options).cycles, cycles);
  explainer.end();
}

TEST_F(ExplainerTest, knows_what_could_have_been_meant) {
  request_.kernel = "fourth";
  Explainer explainer(request_);
  launch(explainer, "first");
  EXPECT_EQ(result().text, "");
  EXPECT_THAT(result().launched, ElementsAre("first"));
  EXPECT_THAT(result().kernels, ElementsAre("first", "second", "third"));
}

TEST_F(ExplainerTest, a_block_or_a_warp_that_the_launch_does_not_have_is_a_fault) {
  request_.block = {1, 3, 0};
  Explainer explainer(request_);
  launch(explainer, "first");
  EXPECT_EQ(result().fault, "--warp: there is no block 1,3,0; the grid of kernel 'first' has 2 x 3 x 1 blocks");
  std::filesystem::remove(request_.result_file);
  request_.block = {1, 2, 0};
  request_.warp = 2;
  Explainer second(request_);
  launch(second, "first");
  EXPECT_EQ(result().fault, "--warp: there is no warp 2; a block of kernel 'first' has 48 threads, 2 warps");
}

TEST(Request, reads_block_and_warp) {
  Request request;
  set_place(request, "3.1");
  EXPECT_EQ(request.block, (Dim3{3, 0, 0}));
  EXPECT_EQ(request.warp, 1u);
  set_place(request, "1,2,3.4");
  EXPECT_EQ(request.block, (Dim3{1, 2, 3}));
  EXPECT_EQ(request.warp, 4u);
}

TEST(Request, takes_nothing_else_for_block_and_warp) {
  for (const char* text :
       {"", "1", "1.", ".1", "1,2.3", "1,2,3", "1.2.3", "1.2,3", "1,2,3.4.5", "a.b", "-1.0", "1.2 "}) {
    Request request;
    EXPECT_THAT([&] { set_place(request, text); }, ThrowsMessage<Error>(HasSubstr("write B.W"))) << text;
  }
}

TEST(Request, survives_its_way_into_the_program) {
  Request request{"k", 3, {1, 2, 3}, 4, 5, 6, 7, true, true, "file"};
  EXPECT_EQ(to_json(request_from(to_json(request))), to_json(request));
}

}  // namespace explainer_test
}  // namespace warpfork::explain
