#include "sweep/experiment_recordings.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/text_file.h"
#include "process/install_paths.h"
#include "sweep/content_hash.h"
#include "sweep/identity.h"
#include "sweep/sweep_progress.h"

namespace warpfork::sweep {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 16;  // of a hash, in a file's name
constexpr const char* kEnd = ".wft";

std::vector<std::string> arguments_of(const config::Benchmark& benchmark, unsigned threads) {
  std::vector<std::string> arguments = benchmark.arguments;
  std::ranges::replace(arguments, "{threads}", std::to_string(threads));
  return arguments;
}

}  // namespace

ExperimentRecordings::ExperimentRecordings(fs::path programs, const ResultFolder& results)
    : programs_(std::move(programs)), results_(results) {}

std::string ExperimentRecordings::file(const config::Benchmark& benchmark, unsigned threads, unsigned recording) {
  const std::string program = (programs_ / benchmark.program).string();
  const std::vector<std::string> arguments = arguments_of(benchmark, threads);
  const report::Json origin = {hash_of_file(program), arguments, benchmark.region, recording, simulator()};
  const std::string name = fmt::format("{}-{}-{}", benchmark.name, threads, hash_of(origin.dump()).substr(0, kDigits));
  const fs::path file = results_.recordings() / (name + kEnd);
  if (!fs::exists(file) && std::ranges::find(missing_, name, &Missing::name) == missing_.end()) {
    process::ChildCommand command{process::program_file().string(),
                                  {"record", "--output", (results_.running() / (name + kEnd)).string()},
                                  {{"TMPDIR", fs::absolute(results_.running()).string()}},
                                  "/dev/null"};
    for (const std::string& function : benchmark.region)
      std::ranges::copy(std::vector<std::string>{"--region", function}, std::back_inserter(command.arguments));
    std::ranges::copy(std::vector<std::string>{"--", program}, std::back_inserter(command.arguments));
    std::ranges::copy(arguments, std::back_inserter(command.arguments));
    command.errors = results_.running() / (name + ".log");
    missing_.push_back({name, std::move(command)});
  }
  return file.string();
}

void ExperimentRecordings::make(Engine& engine, const process::DeferredSignals& signals) {
  std::vector<Job> jobs;
  for (const Missing& one : missing_)
    jobs.push_back({jobs.size(), one.command, one.name, fs::absolute(results_.recordings() / (one.name + kEnd))});
  engine.submit(std::move(jobs));
  SweepProgress progress(missing_.size());
  for (std::size_t ended = 0; ended < missing_.size() && !signals.came();) {
    for (const JobEnd& end : engine.wait(kSignalWait)) {
      note_end(end);
      ++ended;
    }
    progress.tell(ended, 0, "programs are recorded first");
  }
  engine.cancel();
}

/// A recording is there whole or not at all, whatever kills us.
void ExperimentRecordings::note_end(const JobEnd& end) const {
  const std::string& name = missing_[end.number].name;
  const fs::path log = results_.running() / (name + ".log");
  if (end.end.status != 0)
    throw Error("{}: could not be recorded: its process ended with exit status {}\n{}", name, end.end.status,
                config::read_text(log));
  fs::rename(results_.running() / (name + kEnd), results_.recordings() / (name + kEnd));
  fs::remove(log);
}

}  // namespace warpfork::sweep
