// Ranges and their sizes: simt/address_map.h. Counts of misses follow by hand from lines of 16 instructions of 8 bytes.
#include "gpu/launch_addresses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "gpu/device.h"
#include "gtx480_spec.h"
#include "kernel.h"
#include "ptx/parser.h"
#include "simt/address_map.h"

namespace warpfork::gpu {
namespace launch_addresses_test {

std::string refusal(const MachineSpec& spec, const simt::Program& program) {
  simt::Launch launch;
  launch.program = &program;
  try {
    launch_addresses(spec, launch);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Two kernels of 16 instructions each.
class TwoKernels : public ::testing::Test {
 protected:
  report::LaunchRecord run(const char* kernel) {
    simt::Launch launch;
    launch.program = &module_.kernel(kernel);
    launch.memory = &memory_;
    launch.grid = {1, 1, 1};
    launch.block = {32, 1, 1};
    return device_.run(launch, {});
  }

  static std::string text() {
    const std::string body = ".reg .b32 %r<2>;" + repeated(15, "add.u32 %r1, %r1, 1;") + "ret; }\n";
    return ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry first() {" + body +
           ".visible .entry second() {" + body;
  }

  simt::DeviceMemory memory_{1 << 20};
  simt::LoadedModule module_{ptx::parse(text(), "two.ptx"), memory_};
  Device device_{one_core()};
};

TEST_F(TwoKernels, a_second_kernel_misses_its_own_line_once) {
  EXPECT_EQ(run("first").memory.caches.l1i.misses, 1u);
  EXPECT_EQ(run("second").memory.caches.l1i.misses, 1u);
  EXPECT_EQ(run("first").memory.caches.l1i.misses, 0u);
  EXPECT_EQ(run("second").memory.caches.l1i.misses, 0u);
}

TEST_F(TwoKernels, a_kernel_lies_behind_those_that_were_loaded_before) {
  simt::LoadedModule again(ptx::parse(text(), "again.ptx"), memory_);
  EXPECT_EQ(module_.kernel("first").code_place, 0u);
  EXPECT_EQ(module_.kernel("second").code_place, 16u);
  EXPECT_EQ(again.kernel("first").code_place, 32u);
  simt::Launch launch;
  launch.program = &again.kernel("first");
  EXPECT_EQ(launch_addresses(one_core(), launch).code, simt::kCode.begin + 32 * 8);
}

TEST(LaunchAddresses, code_that_ends_behind_its_range_is_refused) {
  simt::Program program;
  program.name = "far";
  program.code.resize(2);
  program.code_place = (256 << 20) / 8 - 2;
  EXPECT_EQ(refusal(gtx480(), program), "");
  ++program.code_place;
  EXPECT_EQ(refusal(gtx480(), program),
            "kernel 'far': the kernels of the program take 268435464 bytes of the address map, which has room for "
            "268435456");
}

TEST(LaunchAddresses, local_memory_of_all_cores_must_find_room) {
  MachineSpec spec = gtx480();
  spec.cores = 64;  // 4 GiB for each
  spec.core.threads = 1024;
  simt::Program program;
  program.local_bytes = 4 << 20;
  EXPECT_EQ(refusal(spec, program), "");
  program.local_bytes += 1;
  EXPECT_THAT(refusal(spec, program),
              ::testing::HasSubstr("local variables of a core's threads take 4295098368 bytes"));
}

TEST(LaunchAddresses, device_memory_that_reaches_into_the_next_range_is_refused) {
  EXPECT_THROW(simt::DeviceMemory{simt::kDeviceMemory.bytes() + 1}, Error);
  EXPECT_NO_THROW(simt::DeviceMemory{simt::kDeviceMemory.bytes()});
}

}  // namespace launch_addresses_test
}  // namespace warpfork::gpu
