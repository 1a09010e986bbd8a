#include "sweep/slurm/slurm_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "process/output_file.h"

namespace warpfork::sweep {

namespace {

namespace fs = std::filesystem;
using report::Json;

constexpr std::size_t kOutputBytes = 4096;

Json document_of(const Job& job) {
  Json environment = Json::array();
  for (const auto& [name, value] : job.command.environment) environment.push_back({name, value});
  return {{"key", job.key},
          {"program", job.command.program},
          {"arguments", job.command.arguments},
          {"environment", environment},
          {"errors", job.command.errors.value_or("/dev/null").string()},
          {"result", job.result.string()}};
}

Job job_of(const Json& document) {
  Job job;
  job.key = document.at("key");
  job.command.program = document.at("program");
  job.command.arguments = document.at("arguments");
  for (const Json& setting : document.at("environment"))
    job.command.environment.emplace_back(setting.at(0), setting.at(1));
  job.command.errors = std::string(document.at("errors"));
  job.command.output_to_error = true;  // as command_of() has it for every point
  job.result = std::string(document.at("result"));
  return job;
}

/// A word as a shell takes it for itself.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

std::string random_digits() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

/// The number that a file's name begins with.
std::size_t task_of(const fs::path& file) {
  const std::string name = file.filename();
  std::size_t task = std::string::npos;
  std::from_chars(name.data(), name.data() + name.size(), task);
  return task;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

fs::path jobs_file(const fs::path& array, std::size_t task) { return array / fmt::format("{}.jobs", task); }

fs::path new_journal(const fs::path& array, std::size_t task) {
  return array / fmt::format("{}.{}.journal", task, random_digits());
}

std::vector<fs::path> journals(const fs::path& array, std::size_t task) {
  std::vector<fs::path> files;
  for (const auto& file : fs::directory_iterator(array))
    if (file.path().extension() == ".journal" && task_of(file.path()) == task) files.push_back(file.path());
  return files;
}

std::vector<Job> read_jobs(const fs::path& file) {
  std::vector<Job> jobs;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) jobs.push_back(job_of(Json::parse(line)));
  return jobs;
}

SlurmArray SlurmArray::make(const fs::path& parent, const std::vector<const Job*>& jobs, std::size_t chunk,
                            const std::vector<std::string>& options, const std::vector<std::string>& command) {
  SlurmArray array(parent / ("warpfork-" + random_digits()));
  std::error_code failure;
  fs::create_directories(array.folder_, failure);
  if (failure) throw Error("{}: cannot be made: {}", array.folder_.string(), failure.message());
  for (std::size_t first = 0; first < jobs.size(); first += chunk) {
    Task task;
    const fs::path file = jobs_file(array.folder_, array.tasks_.size());
    std::ofstream lines(file);
    for (std::size_t i = first; i < std::min(first + chunk, jobs.size()); ++i) {
      lines << document_of(*jobs[i]).dump() + "\n";
      task.keys.push_back(jobs[i]->key);
    }
    if (!lines.flush()) throw Error("{}: cannot be written", file.string());
    array.tasks_.push_back(std::move(task));
  }
  std::string script = "#!/bin/sh\n";
  for (const std::string& option : options) script += "#SBATCH " + option + "\n";
  script += "exec";
  for (const std::string& word : command) script += " " + quoted(word);
  process::write_text(array.script().string(), script + " " + quoted(array.folder_.string()) + "\n");
  return array;
}

std::vector<SlurmArray> SlurmArray::find(const fs::path& parent) {
  std::vector<SlurmArray> arrays;
  if (!fs::is_directory(parent)) return arrays;
  std::set<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(parent)) folders.insert(entry.path());
  for (const fs::path& folder : folders) {
    SlurmArray array(folder);
    if (!fs::exists(array.script())) {  // it is written last, and removed first
      array.remove();
      continue;
    }
    for (std::size_t task = 0; fs::exists(jobs_file(folder, task)); ++task) {
      array.tasks_.emplace_back();
      for (const Job& job : read_jobs(jobs_file(folder, task))) array.tasks_.back().keys.push_back(job.key);
    }
    arrays.push_back(std::move(array));
  }
  return arrays;
}

std::string SlurmArray::job() const { return text_of(folder_ / "job"); }

std::string SlurmArray::output(std::size_t task) const {
  const std::string all = text_of(folder_ / fmt::format("{}.out", task));
  return all.size() <= kOutputBytes ? all : "…" + all.substr(all.size() - kOutputBytes);
}

bool SlurmArray::is_over() const { return std::ranges::all_of(tasks_, &Task::is_over); }

std::vector<JournalEntry> SlurmArray::look() {
  std::vector<JournalEntry> ends;
  for (const auto& file : fs::directory_iterator(folder_)) {
    if (file.path().extension() != ".journal") continue;
    std::streamoff& read = read_[file.path()];
    std::error_code gone;
    if (static_cast<std::uintmax_t>(read) == file.file_size(gone)) continue;
    const std::size_t index = task_of(file.path());
    if (index >= tasks_.size()) continue;
    for (JournalEntry& entry : read_journal(file.path(), read)) {
      tasks_[index].begun.insert(entry.key);
      if (entry.end && tasks_[index].ended.insert(entry.key).second) ends.push_back(std::move(entry));
    }
  }
  return ends;
}

void SlurmArray::remove() const {
  std::error_code ignored;  // a task may be writing there; what is left without a script is removed by the next sweep
  fs::remove(script(), ignored);
  fs::remove_all(folder_, ignored);
}

}  // namespace warpfork::sweep
