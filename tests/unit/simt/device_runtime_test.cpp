#include "simt/device_runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "simt/function_addresses.h"
#include "simt/loaded_module.h"

namespace warpfork::simt {
namespace device_runtime_test {

using testing::ElementsAre;

constexpr const char* kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.func helper() { ret; }
.visible .entry child(.param .u32 number) { ret; }
.visible .entry parent() {
  .reg .u64 %rd<2>;
  mov.u64 %rd0, child;
  mov.u64 %rd1, helper;
  ret;
}
)";

class ADeviceRuntime : public testing::Test {
 protected:
  ADeviceRuntime() { begin(); }

  void begin() {
    launch_.program = &module_.kernel("parent");
    launch_.memory = &memory_;
    runtime_.begin(launch_);
  }
  std::uint64_t address_of(const std::string& function) {
    return function_addresses(module_.module(), module_.kernel("parent").places->code).at(function);
  }
  static DeviceGrid grid(Dim3 extent) {
    DeviceGrid grid;
    grid.kernel = "child";
    grid.grid = extent;
    grid.parameters.resize(4);
    return grid;
  }
  /// The grid has the number as its x, and as its argument.
  void launch(std::uint32_t number, std::uint64_t stream = 0) {
    const std::uint64_t arguments = runtime_.prepare(grid({number, 1, 1}));
    std::memcpy(memory_.find(arguments, 4), &number, 4);
    EXPECT_TRUE(runtime_.launch(arguments, stream));
  }
  /// Runs what was launched: `launches(number)` is what that one does.
  template <class Launches>
  std::vector<std::uint32_t> run(Launches&& launches) {
    std::vector<std::uint32_t> order;
    runtime_.run_grids([&](const DeviceGrid& grid) {
      begin();
      order.push_back(grid.grid.x);
      EXPECT_EQ(std::memcmp(grid.parameters.data(), &grid.grid.x, 4), 0);
      launches(grid.grid.x);
    });
    return order;
  }

  DeviceMemory memory_{1 << 20};
  LoadedModule module_{ptx::parse(kPtx, "t.ptx"), memory_};
  Launch launch_;
  DeviceRuntime runtime_{[](const DeviceGrid&) { return true; }};
};

TEST_F(ADeviceRuntime, knows_the_entries_of_the_kernels_module_by_their_addresses) {
  EXPECT_EQ(runtime_.kernel_at(address_of("child"))->name, "child");
  EXPECT_EQ(runtime_.kernel_at(address_of("helper")), nullptr);
  EXPECT_EQ(runtime_.kernel_at(0), nullptr);
}

TEST_F(ADeviceRuntime, runs_grids_in_the_order_of_their_launches_and_those_of_the_tail_at_the_end) {
  launch(3, DeviceRuntime::kTailStream);
  launch(1);
  launch(2, 77);
  launch(4, DeviceRuntime::kTailStream);
  EXPECT_THAT(run([](unsigned) {}), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(run([](unsigned) {}), ElementsAre());
}

// A grid has ended when all that it launched has, which the next one waits for.
TEST_F(ADeviceRuntime, runs_what_a_grid_launches_before_the_next_one) {
  launch(5, DeviceRuntime::kTailStream);
  launch(1);
  launch(4);
  const auto launches = [&](unsigned number) {
    if (number != 1) return;
    launch(3, DeviceRuntime::kTailStream);
    launch(2);
  };
  EXPECT_THAT(run(launches), ElementsAre(1, 2, 3, 4, 5));
}

TEST_F(ADeviceRuntime, gives_the_arguments_memory_back_when_they_are_launched) {
  const std::size_t before = memory_.allocations().size();
  const std::uint64_t arguments = runtime_.prepare(grid({}));
  EXPECT_EQ(memory_.allocations().size(), before + 1);
  EXPECT_TRUE(runtime_.launch(arguments, 0));
  EXPECT_EQ(memory_.allocations().size(), before);
  EXPECT_FALSE(runtime_.launch(arguments, 0));
}

TEST_F(ADeviceRuntime, keeps_an_error_for_each_thread_until_the_grid_ends) {
  runtime_.last_error(0, 1) = 9;
  EXPECT_EQ(runtime_.last_error(0, 1), 9u);
  EXPECT_EQ(runtime_.last_error(1, 1), 0u);
  begin();
  EXPECT_EQ(runtime_.last_error(0, 1), 0u);
}

}  // namespace device_runtime_test
}  // namespace warpfork::simt
