#include "unit/x86/recorded_guest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "unit/test_folder.h"
#include "x86/recording_packer.h"

namespace warpfork::x86 {

namespace {

/// Where there is none, as in Debian 13, a test cannot go on, nor the fixture that holds its recording: CTest takes the
/// word for the test's own.
void require_emulator() {
  static const bool takes_plugins = std::system("qemu-x86_64 --help | grep -q -- '^-plugin'") == 0;
  if (!takes_plugins) throw std::runtime_error("[  SKIPPED ] there is no qemu-x86_64 that takes plugins");
}

}  // namespace

std::string guest_path(const std::string& guest) { return fmt::format("{}/{}", TEST_GUESTS, guest); }

std::string record_guest(const std::string& guest, const std::string& arguments, const RecorderRequest& request) {
  require_emulator();
  static int number = 0;
  const RecorderFolder folder{fmt::format("{}/recording_{}", test_folder(), ++number)};
  std::filesystem::create_directory(folder.path);
  prepare_recorder_folder(folder);
  const ElfProgram program = read_elf_program(guest_path(guest));
  std::ofstream(folder.request()) << request_text(request, program.symbols, guest);
  const std::string command =
      fmt::format("OMP_WAIT_POLICY=passive qemu-x86_64 -cpu max -plugin 'file={},folder={}' '{}' {}", TEST_RECORDER,
                  folder.path.string(), guest_path(guest), arguments);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const RecorderEnd end = read_recorder_end(folder);
  EXPECT_TRUE(end.is_whole && end.has_started && end.failure.empty()) << end.failure;
  RecordingFacts facts;
  facts.program = guest;
  facts.start = request.start;
  facts.region = fmt::format("{}", fmt::join(request.regions, ","));
  pack_recording(folder, facts, end, program);
  return folder.frames().string();
}

std::vector<DynamicInstruction> all_of(InstructionStream& stream) {
  std::vector<DynamicInstruction> all;
  while (stream.next(all.emplace_back())) {
  }
  return all;
}

std::vector<std::uint64_t> pcs_of(InstructionStream& stream) {
  std::vector<std::uint64_t> pcs;
  for (DynamicInstruction next; stream.next(next);) pcs.push_back(next.instruction->pc);
  return pcs;
}

}  // namespace warpfork::x86
