#include "sweep/slurm/slurm_client.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "process/output_file.h"

namespace warpfork::sweep {

namespace {

// Slurm's commands ask again for some time if the controller is away: up to a minute with its default MessageTimeout.
constexpr std::chrono::seconds kPatience{90};

// What squeue gives for the reason then.
constexpr std::string_view kLaunchReason = "launch failed requeued held";

// squeue(1), "JOB STATE CODES": those that a job does not leave.
constexpr std::array<std::string_view, 11> kFinalStates = {"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE",
                                                           "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                                           "REVOKED",   "TIMEOUT",   kLaunchFailed};

std::string_view up_to(std::string_view text, char letter) { return text.substr(0, text.find(letter)); }

/// The same, cut off from the text with the letter.
std::string_view take_up_to(std::string_view& text, char letter) {
  const std::string_view part = up_to(text, letter);
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

/// What a command that failed has to say; empty if it did not fail.
std::string complaint_of(const process::CapturedRun& run) {
  if (!run.was_in_time) return "no answer";
  if (run.end.status == 0) return "";
  const std::string_view last = std::string_view(run.errors).substr(0, run.errors.find_last_not_of('\n') + 1);
  return last.empty() ? fmt::format("exit status {}", run.end.status) : std::string(last);
}

/// In names of output files a percent sign begins a replacement.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char letter : path) text += letter == '%' ? "%%" : std::string(1, letter);
  return text;
}

}  // namespace

SlurmTaskStates parse_task_states(std::string_view lines) {
  SlurmTaskStates states;
  while (!lines.empty()) {
    std::string_view line = take_up_to(lines, '\n');
    const std::string_view name = take_up_to(line, '|'), digits = take_up_to(line, '|'), state = take_up_to(line, '|');
    std::size_t index = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (failure != std::errc() || end != digits.data() + digits.size() || state.empty()) continue;
    const bool is_held = state == "PENDING" && line.starts_with(kLaunchReason);
    states[{std::string(name), index}] = is_held ? kLaunchFailed : state;
  }
  return states;
}

bool is_under_way(std::string_view state) { return std::ranges::find(kFinalStates, state) == kFinalStates.end(); }

std::string SlurmClient::submit(const std::string& name, std::size_t tasks, const std::filesystem::path& script,
                                const std::filesystem::path& folder) {
  const process::CapturedRun done =
      run("sbatch", {"--parsable", "--job-name=" + name, fmt::format("--array=0-{}", tasks - 1), "--export=ALL",
                     "--open-mode=append", "--chdir=" + std::filesystem::current_path().string(),
                     "--output=" + escaped(folder.string()) + "/%a.out", script.string()});
  std::string complaint = complaint_of(done);
  if (complaint.empty())
    process::write_text((folder / "job").string(), std::string(up_to(up_to(done.output, '\n'), ';')));
  return complaint;
}

std::optional<SlurmTaskStates> SlurmClient::task_states(const std::vector<std::string>& names) {
  const process::CapturedRun done =
      run("squeue", {"--me", "--noheader", "--array", "--states=all", fmt::format("--name={}", fmt::join(names, ",")),
                     "--format=%j|%K|%T|%r"});
  complaint_ = complaint_of(done);
  if (!complaint_.empty()) return std::nullopt;
  return parse_task_states(done.output);
}

std::string SlurmClient::recorded_state(const std::string& job, std::size_t index) {
  if (job.empty()) return "";
  const process::CapturedRun done = run("sacct", {"--noheader", "--parsable2", "--allocations",
                                                  fmt::format("--jobs={}_{}", job, index), "--format=State"});
  if (!complaint_of(done).empty()) return "";
  return std::string(up_to(up_to(done.output, '\n'), ' '));  // "CANCELLED by 1000"
}

void SlurmClient::cancel_task(const std::string& job, std::size_t index) {
  if (!job.empty()) run("scancel", {fmt::format("{}_{}", job, index)});
}

std::string SlurmClient::cancel(const std::string& name, bool only_waiting) {
  std::vector<std::string> arguments = {"--me", "--name=" + name};
  if (only_waiting) arguments.emplace_back("--state=PENDING");
  return complaint_of(run("scancel", std::move(arguments)));
}

process::CapturedRun SlurmClient::run(const std::string& program, std::vector<std::string> arguments) {
  return process::run_captured({program, std::move(arguments), {}, {}}, signals_, kPatience);
}

}  // namespace warpfork::sweep
