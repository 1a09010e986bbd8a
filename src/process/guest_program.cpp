#include "process/guest_program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <regex>

#include "base/error.h"
#include "config/text_file.h"
#include "cuda/library/linked_runtime.h"
#include "cuda/progress_line.h"
#include "cuda/session/session_request.h"
#include "cuda/session/session_result.h"
#include "process/child_process.h"
#include "process/find_program.h"
#include "process/runtime_linkage.h"
#include "process/temporary_folder.h"
#include "report/text_report.h"

namespace warpfork::process {

namespace {

constexpr const char *kLibraryPath = "LD_LIBRARY_PATH", *kPreload = "LD_PRELOAD", *kAudit = "LD_AUDIT";
constexpr const char* kAuditor = "libwarpfork_audit.so";  // looks into libraries

/// Of what the variable names already.
std::string in_front(const char* variable, const std::filesystem::path& ours) {
  const char* present = std::getenv(variable);
  return present && *present ? ours.string() + ":" + present : ours.string();
}

std::filesystem::path executable_of(const std::string& program) {
  const bool is_path = program.find('/') != std::string::npos;
  return is_path ? program : find_program(program);
}

bool has_device_code(const std::string& program) {
  return runtime_linkage(executable_of(program)) != RuntimeLinkage::None;
}

/// What puts our runtime in the place of the program's. With one that cannot be replaced it would run, without a GPU,
/// and its own message would not say why.
std::vector<std::pair<std::string, std::string>> runtime_environment(const std::string& program,
                                                                     const std::filesystem::path& library_folder) {
  const std::filesystem::path executable = executable_of(program);
  const RuntimeLinkage linkage = runtime_linkage(executable);
  if (linkage == RuntimeLinkage::Static)
    throw Error(
        "{}: the CUDA runtime is linked into this program, and without the names of its functions or without a loader, "
        "so that its kernels cannot be simulated\n"
        "  rebuild it with nvcc -cudart shared, or do not strip it",
        program);
  std::vector<std::pair<std::string, std::string>> environment{{kLibraryPath, in_front(kLibraryPath, library_folder)}};
  if (linkage == RuntimeLinkage::Linked) {  // by its name alone: at spaces of a path the loader would part it
    environment.emplace_back(kPreload, in_front(kPreload, fmt::format("libcudart.so.{}", linked_release(executable))));
    environment.emplace_back(cuda::kLinkedRuntimeVariable, "1");
  }
  if (std::filesystem::exists(library_folder / kAuditor)) environment.emplace_back(kAudit, in_front(kAudit, kAuditor));
  return environment;
}

/// The last kernel that was launched; how the program ended, and what else it complained of, then follows from that.
bool is_cut_off(const cuda::SessionResult& result) {
  return !result.launches.empty() && !result.launches.back().cut_off.empty();
}

bool has(const std::string& message, const char* words) { return message.find(words) != std::string::npos; }

/// PTX of the program's, not some that it has loaded by itself.
bool names_ptx(const std::string& message) {
  return (has(message, ".ptx:") || has(message, "PTX line")) && !has(message, ".loaded.");
}

/// "instruction 7: ld.global.u32 (copy.cu:12)", "PTX line 31, copy.cu:12".
bool names_source(const std::string& message) {
  static const std::regex place(R"(PTX line \d+, [^()\n]+:\d+|\([^()\n]+:\d+\))");
  return std::regex_search(message, place);
}

/// How to see the lines that messages name; "" if they name none of the PTX.
std::string where_lines_are(const std::string& program, const std::vector<std::string>& messages) {
  if (std::ranges::none_of(messages, names_ptx)) return "";
  const bool names_own_ptx = std::ranges::any_of(messages, [](const auto& message) { return has(message, ".ptx:"); });
  if (!names_own_ptx && !has_device_code(program)) return "\n  " + report::where_loaded_ptx_lines_are(program);
  const bool has_source_lines =
      std::ranges::none_of(messages, [](const auto& message) { return names_ptx(message) && !names_source(message); });
  return "\n  " + report::where_ptx_lines_are(program, has_source_lines);
}

/// A result that is not whole is never passed off as one.
void require_whole(const std::string& program, const ChildEnd& end, const cuda::SessionResult& result) {
  if (result.torn) throw Error("{}: what it did could not be recorded, as told above; no result is written", program);
  if (is_cut_off(result)) return;
  if (!result.errors.empty())  // the program's runtime library told them when they happened
    throw Error("{}: failed on the simulated GPU; no result is written{}", program,
                where_lines_are(program, result.errors));
  if (end.signal != 0) throw EndedBySignal(program, end.signal);
  if (!result.used && end.status == 0)
    throw Error(
        "{}: never called the CUDA runtime library\n"
        "  it is no CUDA program, or does not come to its CUDA part with these arguments",
        program);
  if (result.used && !result.complete)
    throw Error("{}: ended without telling its CUDA runtime library (exit status {}); no result is written", program,
                end.status);
}

}  // namespace

std::string where_ptx_lines_are(const std::string& program) {
  return has_device_code(program) ? report::where_ptx_lines_are(program) : report::where_loaded_ptx_lines_are(program);
}

EndedBySignal::EndedBySignal(const std::string& program, int signal)
    : Error("{}: ended by signal {} ({}); no result is written", program, signal, strsignal(signal)), signal_(signal) {}

Outcome run_guest_program(const GuestOptions& options) {
  std::vector<std::pair<std::string, std::string>> environment =
      runtime_environment(options.program, options.library_folder);
  const DeferredSignals signals;  // before the folder, which an interrupt must not leave behind
  const TemporaryFolder folder;
  const std::string request = (folder.path() / "request.json").string();
  const std::string result_file = (folder.path() / "result.jsonl").string();
  cuda::save({result_file, options.device, options.simulation}, request);
  environment.emplace_back(cuda::kSessionVariable, request);
  ChildCommand command{options.program, options.arguments, std::move(environment), {}};
  if (options.output == GuestOutput::Captured) command.output = folder.path() / "output";
  command.output_to_error = options.output == GuestOutput::StandardError;
  const ChildEnd end = run_child(command, signals);
  if (isatty(STDERR_FILENO)) std::fputs(cuda::kEraseProgress, stderr);
  cuda::SessionResult result = cuda::read_session(result_file);
  require_whole(options.program, end, result);

  Outcome outcome;
  outcome.status = end.status;
  if (is_cut_off(result)) {
    outcome.status = std::max(outcome.status, 1);
    outcome.complaints.push_back(fmt::format("{}: its last kernel was cut off", options.program));
  } else if (end.status != 0) {
    outcome.complaints.push_back(fmt::format("{} ended with exit status {}{}{}", options.program, end.status,
                                             result.used ? "" : " and never called the CUDA runtime library",
                                             result.short_of_memory.empty() ? "" : "\n  " + result.short_of_memory));
  }
  for (const std::string& refusal : result.refusals)
    outcome.complaints.push_back(fmt::format("{} went on after this was refused: {}", options.program, refusal));
  outcome.program = {{"kind", "cuda"},
                     {"name", std::filesystem::path(options.program).filename().string()},
                     {"arguments", options.arguments},
                     {"exit_status", end.status}};
  outcome.launches = std::move(result.launches);
  outcome.kernels_printed = result.printed;
  if (command.output) outcome.output = config::read_text(*command.output);
  return outcome;
}

}  // namespace warpfork::process
