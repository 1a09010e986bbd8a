#include "checkpoint/launch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/checkpoint/sample_launch.h"

namespace warpfork::checkpoint {
namespace launch_file_test {

using ::testing::HasSubstr;

std::string whole_file() {
  SampleLaunch sample;
  return file_of(sample.saved(), kSamplePtx, sample.memory);
}

/// The message with which the file is refused, read to its end.
std::string refusal_of(const std::string& bytes, std::uint64_t memory_bytes = 8 << 20) {
  try {
    const LaunchFile file(bytes, "f.wfl");
    file.ptx();
    simt::DeviceMemory memory(memory_bytes);
    file.restore(memory);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LaunchFile, says_of_the_launch_what_it_was) {
  const SampleLaunch sample;
  const LaunchFile file(whole_file(), "f.wfl");
  const SavedLaunch& launch = file.launch();
  EXPECT_EQ(launch.program + launch.kernel + launch.module, "pkp.0.ptx");
  EXPECT_EQ(launch.number, 4u);
  EXPECT_EQ(launch.grid, (Dim3{4, 2, 1}));
  EXPECT_EQ(launch.block, (Dim3{32, 1, 1}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 16u);
  EXPECT_EQ(launch.grid_id, 3u);
  EXPECT_EQ(launch.parameters, sample.launch.parameters);
  EXPECT_EQ(file.ptx(), kSamplePtx);
}

TEST(LaunchFile, says_how_large_the_stack_of_a_recursive_kernel_is) {
  SampleLaunch sample;
  EXPECT_EQ(sample.saved().stack_bytes, 0u);
  simt::CodeOptions code;
  code.stack_bytes = 20'000;
  const std::string recursive =
      ".version 6.3\n.target sm_70\n.address_size 64\n"
      ".func f() { .reg .b32 %r; .reg .pred %p; mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 9; @%p call f; ret; }\n"
      ".visible .entry k() { call f; ret; }\n";
  simt::LoadedModule module(ptx::parse(recursive, "p.0.ptx"), sample.memory, simt::host_instruction_set(), code);
  sample.launch.program = &module.kernel("k");
  const std::string file = file_of(sample.saved(), recursive, sample.memory);
  EXPECT_EQ(LaunchFile(file, "f.wfl").launch().stack_bytes, 20'000u);
}

TEST(LaunchFile, knows_code_variables_and_copies_by_their_places) {
  const SampleLaunch sample;
  const LaunchFile file(whole_file(), "f.wfl");
  const SavedLaunch& launch = file.launch();
  EXPECT_EQ(launch.places.code, 10u);
  EXPECT_EQ(launch.places.variables.at("x").address, sample.module->find_symbol("x")->address);
  ASSERT_EQ(launch.copies.size(), 2u);
  EXPECT_EQ(launch.copies[1].address, sample.large);
  EXPECT_EQ(launch.copies[1].bytes, 8u);
}

// 3 MiB of which a byte is not zero: one piece of a MiB, hardly larger than nothing.
TEST(LaunchFile, gives_memory_back_at_its_addresses) {
  const SampleLaunch sample;
  simt::DeviceMemory memory(8 << 20);
  LaunchFile(whole_file(), "f.wfl").restore(memory);
  EXPECT_LT(whole_file().size(), 2000u);
  EXPECT_EQ(memory.label_at(sample.large), "large");
  EXPECT_EQ(*memory.find(sample.first, 100), std::byte{0xab});
  EXPECT_EQ(memory.find(sample.first, 101), nullptr);
  EXPECT_EQ(*memory.find(sample.large + (2 << 20), 1), std::byte{7});
  EXPECT_EQ(*memory.find(sample.large + (2 << 20) + 1, 1), std::byte{0});
  EXPECT_EQ(*memory.find(sample.module->find_symbol("x")->address, 4), std::byte{5});
}

TEST(LaunchFile, lets_the_module_lie_where_it_lay) {
  const SampleLaunch sample;
  const LaunchFile file(whole_file(), "f.wfl");
  simt::DeviceMemory memory(8 << 20);
  file.restore(memory);
  simt::LoadedModule module(ptx::parse(file.ptx(), file.launch().module), file.launch().places, memory,
                            simt::host_instruction_set(), simt::CodeOptions{});
  EXPECT_EQ(module.find_symbol("x")->address, sample.module->find_symbol("x")->address);
  EXPECT_EQ(module.kernel("k").code_place, sample.launch.program->code_place);
}

TEST(LaunchFile, refuses_what_is_none_with_the_remedy) {
  EXPECT_THAT(refusal_of(""), HasSubstr("f.wfl: is no saved launch: it has 0 bytes"));
  EXPECT_THAT(refusal_of(std::string(1000, 'x')), HasSubstr("make one with: warpfork run --save-launch"));
  std::string newer = whole_file();
  newer[8] = 2;
  EXPECT_THAT(refusal_of(newer), HasSubstr("is a saved launch of version 2, this warpfork reads version 1"));
  EXPECT_THAT(refusal_of(whole_file() + "x"), HasSubstr("the file is too long"));
}

TEST(LaunchFile, refuses_one_that_is_cut_off_anywhere) {
  const std::string whole = whole_file();
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) EXPECT_NE(refusal_of(whole.substr(0, bytes)), "") << bytes;
  EXPECT_THAT(refusal_of(whole.substr(0, 100)), HasSubstr("f.wfl: offset 100: the file is cut off here"));
}

TEST(LaunchFile, notices_every_byte_that_is_another) {
  const std::string whole = whole_file();
  EXPECT_EQ(refusal_of(whole), "");
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
    EXPECT_THAT(refusal_of(damaged), HasSubstr("f.wfl")) << place;
  }
}

TEST(LaunchFile, says_that_a_smaller_device_has_no_room_for_it) {
  EXPECT_THAT(refusal_of(whole_file(), 1 << 20), HasSubstr("f.wfl: out of device memory: 'large'"));
}

}  // namespace launch_file_test
}  // namespace warpfork::checkpoint
