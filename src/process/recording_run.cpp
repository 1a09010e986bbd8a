#include "process/recording_run.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "process/child_process.h"
#include "process/emulator.h"
#include "process/find_program.h"
#include "process/install_paths.h"
#include "process/output_file.h"
#include "process/recording_progress.h"
#include "process/temporary_folder.h"
#include "process/version.h"
#include "x86/elf_program.h"
#include "x86/recording.h"
#include "x86/recording_file.h"
#include "x86/recording_packer.h"

namespace warpfork::process {

namespace {

namespace fs = std::filesystem;

std::string path_of_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const std::string found = find_program(name);
  if (!found.empty()) return found;
  throw Error("{}: there is no such program{}", name, fs::exists(name) ? "\n  did you mean ./" + name + "?" : "");
}

/// QEMU separates options by commas.
std::string escaped(const fs::path& path) {
  std::string text;
  for (const char letter : path.string()) text += letter == ',' ? ",," : std::string(1, letter);
  return text;
}

ChildCommand emulation(const std::string& emulator, const std::string& program, const RecordOptions& options,
                       const x86::RecorderFolder& folder) {
  const std::string plugin =
      fmt::format("file={},folder={}", escaped(library_folder() / "warpfork-recorder.so"), escaped(folder.path));
  ChildCommand command{emulator, {"-cpu", "max", "-plugin", plugin, program}, {}, {}};
  command.arguments.insert(command.arguments.end(), options.arguments.begin(), options.arguments.end());
  command.environment = {{"OMP_WAIT_POLICY", "passive"}};  // otherwise much of a recording is spinning
  return command;
}

void require_ordinary_end(const std::string& program, const ChildEnd& end) {
  if (end.signal == SIGILL)
    throw Error(
        "{}: used an instruction that the recorder's processor does not have (signal SIGILL); no recording is written\n"
        "  it has everything up to AVX2 and FMA, but no AVX-512: build the program with -mavx2, not with "
        "-march=native\n"
        "  or it ended itself so, as by __builtin_trap()",
        program);
  if (end.signal != 0)
    throw Error(
        "{}: ended by signal {} ({}) under the recorder; no recording is written\n  does it run without: qemu-x86_64 "
        "-cpu max {}",
        program, end.signal, strsignal(end.signal), program);
}

void require_whole(const RecordOptions& options, const ChildEnd& child, const x86::RecorderEnd& end) {
  if (!end.is_whole)
    throw Error(
        "{}: ended (exit status {}) without the recorder's knowledge; no recording is written\n"
        "  the emulator told why, or the program replaced itself by another (exec): record that one",
        options.program, child.status);
  if (!end.failure.empty()) throw Error("{}: the recording could not be written: {}", options.output, end.failure);
  if (!end.has_started)
    throw Error("{}: never came to '{}' (--start); no recording is written", options.program, options.request.start);
}

RecordOutcome outcome_of(const RecordOptions& options, const fs::path& file, int status) {
  const x86::Recording recording(file);
  RecordOutcome outcome{status, 0, 0, fs::file_size(file)};
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) {
    outcome.instructions += recording.instructions(thread);
    outcome.threads += recording.instructions(thread) != 0;
  }
  if (outcome.instructions == 0)
    throw Error("{}: never came to '{}' (--region); no recording is written", options.program,
                fmt::join(options.request.regions, ", "));
  if (options.threads && *options.threads != outcome.threads)
    throw Error("{}: {} ran in what was recorded, not {} (--threads); no recording is written", options.program,
                counted(outcome.threads, "thread"), *options.threads);
  return outcome;
}

/// The recording takes the place of what has its name: that must not be a device, nor a program or a text whose name
/// stands here by mistake.
void require_place(const std::string& output) {
  if (output == "-") throw Error("-o -: a recording is a file, and cannot be standard output\n  name one: -o FILE.wft");
  if (fs::exists(output) && !fs::is_regular_file(output)) throw Error("{}: exists, and is no ordinary file", output);
  if (fs::exists(output) && !fs::is_empty(output) && !x86::is_recording(output))
    throw Error("{}: would be overwritten, and is no recording\n  give the recording another name: -o FILE.wft",
                output);
  require_writable(output);
}

x86::RecordingFacts facts(const RecordOptions& options) {
  return {version_text(),
          options.program,
          options.arguments,
          options.request.start,
          fmt::format("{}", fmt::join(options.request.regions, ",")),
          options.request.limit};
}

}  // namespace

RecordOutcome record_program(const RecordOptions& options) {
  require_place(options.output);
  const std::string program = path_of_program(options.program);
  const x86::ElfProgram elf = x86::read_elf_program(program);
  const std::string request = x86::request_text(options.request, elf.symbols, options.program);
  const DeferredSignals signals;  // before the folder, which an interrupt must not leave behind
  // Beside the recording, so that it is written once and then takes its name.
  const TemporaryFolder temporary(fs::absolute(options.output).parent_path());
  const x86::RecorderFolder folder{temporary.path()};
  const std::string emulator = find_emulator(signals);
  x86::prepare_recorder_folder(folder);
  write_text(folder.request(), request);
  const ChildCommand command = emulation(emulator, program, options, folder);
  ChildEnd child;
  {
    const RecordingProgress progress(folder.progress());
    child = run_child(command, signals);
  }
  require_ordinary_end(options.program, child);
  const x86::RecorderEnd end = x86::read_recorder_end(folder);
  require_whole(options, child, end);
  x86::pack_recording(folder, facts(options), end, elf);
  const RecordOutcome outcome = outcome_of(options, folder.frames(), child.status);
  std::error_code failure;
  fs::rename(folder.frames(), options.output, failure);
  if (failure) throw Error("{}: cannot be written: {}", options.output, failure.message());
  return outcome;
}

}  // namespace warpfork::process
