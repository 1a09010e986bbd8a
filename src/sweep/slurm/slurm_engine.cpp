#include "sweep/slurm/slurm_engine.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "sweep/slurm/lost_task.h"

namespace warpfork::sweep {

namespace {

constexpr std::size_t kTasks = 200;        // of a sweep, if nobody says otherwise: 10 s to start
constexpr std::size_t kArrayTasks = 1000;  // slurm.conf(5): MaxArraySize is 1001 by default
constexpr std::chrono::milliseconds kLookEvery{1000};
constexpr unsigned kMisses = 2;                    // a task may have written its last words just before it went
constexpr std::chrono::seconds kGrace{15};         // for cancelled tasks to end
constexpr std::uint64_t kTaskBytes = 64ull << 20;  // of the process that starts a task's jobs
constexpr std::uint64_t kMebibyte = 1 << 20;

}  // namespace

SlurmEngine::SlurmEngine(SlurmOptions options, std::function<std::uint64_t(std::size_t)> bytes_of,
                         const process::DeferredSignals& signals)
    : options_(std::move(options)),
      bytes_of_(std::move(bytes_of)),
      client_(signals),
      arrays_(SlurmArray::find(options_.folder)),
      next_ask_(Clock::now() + options_.ask_every / 5) {}

std::set<std::string> SlurmEngine::under_way() const {
  std::set<std::string> keys(unsent_.begin(), unsent_.end());
  for (const SlurmArray& array : arrays_)
    for (const SlurmArray::Task& task : array.tasks())
      if (!task.is_lost) keys.insert(task.keys.begin(), task.keys.end());
  return keys;
}

void SlurmEngine::submit(std::vector<Job> jobs) {
  const std::set<std::string> known = under_way();
  for (Job& job : jobs) {
    if (!known.contains(job.key)) unsent_.push_back(job.key);
    const std::string key = job.key;
    jobs_.insert_or_assign(key, std::move(job));
  }
  if (const std::string complaint = send(); !complaint.empty() && arrays_.empty())
    throw Error("Slurm takes no jobs of this sweep: {}", complaint);
}

/// Returns why some could not be sent; empty = all are.
std::string SlurmEngine::send() {
  while (!unsent_.empty()) {
    const std::size_t chunk = chunk_of(unsent_.size());
    std::vector<const Job*> jobs;
    for (std::size_t i = 0; i < std::min(unsent_.size(), chunk * kArrayTasks); ++i)
      jobs.push_back(&jobs_.at(unsent_[i]));
    SlurmArray array = SlurmArray::make(options_.folder, jobs, chunk, script_options(jobs),
                                        {options_.warpfork, "sweep-task", std::to_string(options_.at_a_time)});
    const std::string complaint = client_.submit(array.name(), array.tasks().size(), array.script(), array.folder());
    if (!complaint.empty()) {
      array.remove();
      client_.cancel(array.name(), false);  // should it have come through nonetheless
      return complaint;
    }
    arrays_.push_back(std::move(array));
    unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(jobs.size()));
  }
  return "";
}

std::size_t SlurmEngine::chunk_of(std::size_t jobs) const {
  if (options_.chunk != 0) return options_.chunk;
  return std::max<std::size_t>(options_.at_a_time, (jobs + kTasks - 1) / kTasks);
}

std::vector<std::string> SlurmEngine::script_options(const std::vector<const Job*>& jobs) const {
  std::uint64_t bytes = options_.memory_bytes;
  if (bytes == 0) {
    for (const Job* job : jobs) bytes = std::max(bytes, bytes_of_(job->number));
    bytes = options_.at_a_time * (bytes + bytes / 4) + kTaskBytes;
  }
  std::vector<std::string> options = {
      fmt::format("--requeue --cpus-per-task={} --mem={}M", options_.at_a_time, (bytes + kMebibyte - 1) / kMebibyte)};
  options.insert(options.end(), options_.arguments.begin(), options_.arguments.end());
  return options;
}

std::vector<JobEnd> SlurmEngine::wait(std::chrono::milliseconds time) {
  const bool must_ask = Clock::now() >= next_ask_;
  std::vector<JobEnd> ends;
  if (must_ask || Clock::now() >= next_look_) ends = look();
  if (must_ask) ask(ends);
  if (ends.empty()) std::this_thread::sleep_for(time);
  return ends;
}

std::vector<JobEnd> SlurmEngine::look() {
  std::vector<JobEnd> ends;
  for (SlurmArray& array : arrays_)
    for (JournalEntry& entry : array.look()) {
      const auto job = jobs_.find(entry.key);
      if (job == jobs_.end()) continue;  // another task has run it, too, or this sweep does not ask for it
      entry.end->number = job->second.number;
      ends.push_back(*entry.end);
      jobs_.erase(job);
    }
  std::erase_if(unsent_, [&](const std::string& key) { return !jobs_.contains(key); });
  next_look_ = Clock::now() + kLookEvery;
  return ends;
}

std::vector<std::string> SlurmEngine::names() const {
  std::vector<std::string> names;
  for (const SlurmArray& array : arrays_)
    if (!array.is_over()) names.push_back(array.name());
  return names;
}

void SlurmEngine::ask(std::vector<JobEnd>& ends) {
  complaint_ = send();
  const std::vector<std::string> asked = names();
  const auto states = asked.empty() ? SlurmTaskStates{} : client_.task_states(asked);
  next_ask_ = Clock::now() + options_.ask_every;
  if (!states) complaint_ = client_.complaint();
  if (!states) return;
  running_ = waiting_ = 0;
  for (SlurmArray& array : arrays_)
    for (std::size_t i = 0; i < array.tasks().size(); ++i) {
      SlurmArray::Task& task = array.tasks()[i];
      const auto state = states->find({array.name(), i});
      if (state != states->end()) task.state = state->second;
      if (task.is_over()) continue;
      if (state != states->end() && is_under_way(task.state)) {
        ++(task.state == "PENDING" ? waiting_ : running_);
        task.misses = 0;
      } else if (++task.misses == kMisses) {
        lose(array, i, ends);
      }
    }
}

void SlurmEngine::lose(SlurmArray& array, std::size_t index, std::vector<JobEnd>& ends) {
  SlurmArray::Task& task = array.tasks()[index];
  const std::string number = array.job();
  task.is_lost = true;
  if (is_under_way(task.state)) task.state = client_.recorded_state(number, index);
  if (task.state == kLaunchFailed) client_.cancel_task(number, index);
  const Failure failure = failure_of_task(task, array.output(index));
  const std::set<std::string> elsewhere = under_way();
  std::vector<std::string> rest;
  for (const std::string& key : task.keys)
    if (jobs_.contains(key) && !elsewhere.contains(key)) rest.push_back(key);
  for (const std::string& key : rest) {
    if (!fails_with_task(task, key, !number.empty())) {
      unsent_.push_back(key);
      continue;
    }
    ends.push_back({jobs_.at(key).number, {1, 0}, 0, 0, failure});
    jobs_.erase(key);
  }
}

void SlurmEngine::cancel() {
  std::vector<std::string> names, left;
  std::string complaint;
  for (const SlurmArray& array : arrays_) {
    names.push_back(array.name());
    const std::string said = client_.cancel(array.name(), false);
    if (said.empty()) continue;
    left.push_back(array.name());
    complaint = said;
  }
  if (!left.empty())
    throw Error(
        "tasks could not be cancelled and go on: {}\n  the same command waits for them; `scancel --name={}` ends them",
        complaint, fmt::join(left, ","));
  const Clock::time_point last = Clock::now() + kGrace;
  const auto some_run = [&] {
    const auto states = client_.task_states(names);
    return !states || std::ranges::any_of(*states, [](const auto& state) { return is_under_way(state.second); });
  };
  while (!names.empty() && Clock::now() < last && some_run())
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  for (const SlurmArray& array : arrays_) array.remove();
  arrays_.clear();
}

void SlurmEngine::settle() {
  std::erase_if(arrays_, [&](const SlurmArray& array) {
    if (!array.is_over() && !jobs_.empty()) return false;
    client_.cancel(array.name(), array.is_over());  // if it is, what was to run again has nothing left to do
    array.remove();
    return true;
  });
}

std::string SlurmEngine::remark() const {
  std::string text =
      fmt::format("Slurm: {} run{}, {} wait", counted(running_, "task"), running_ == 1 ? "s" : "", waiting_);
  if (!complaint_.empty()) text += "; it says: " + complaint_.substr(0, complaint_.find('\n'));
  return text;
}

}  // namespace warpfork::sweep
