#include "sweep/slurm/slurm_task.h"

#include <charconv>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "sweep/local_engine.h"
#include "sweep/slurm/slurm_array.h"
#include "sweep/slurm/task_journal.h"

namespace warpfork::sweep {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kSettle{200};  // in which a signal that Slurm sent to all has come to all

std::set<std::string> ended_before(const fs::path& array, std::size_t index) {
  std::set<std::string> ended;
  for (const fs::path& journal : journals(array, index)) {
    std::streamoff from_start = 0;
    for (const JournalEntry& entry : read_journal(journal, from_start))
      if (entry.end) ended.insert(entry.key);
  }
  return ended;
}

class SlurmTask {
 public:
  SlurmTask(const fs::path& array, std::size_t index, unsigned at_a_time, const process::DeferredSignals& signals)
      : jobs_file_(jobs_file(array, index)),
        jobs_(read_jobs(jobs_file_)),
        ended_(ended_before(array, index)),
        at_a_time_(at_a_time),
        journal_(new_journal(array, index)),
        engine_(
            {at_a_time, std::numeric_limits<std::uint64_t>::max()}, [](std::size_t) { return 0; }, signals) {}

  void run(const process::DeferredSignals& signals) {
    begin_some();
    while (!running_.empty() && !signals.came()) {
      for (const JobEnd& end : engine_.wait(kSignalWait)) {
        if (end.end.status != 0) std::this_thread::sleep_for(kSettle);
        if (end.end.status != 0 && signals.came()) break;  // it was not its own end
        journal_.ended(jobs_[end.number].key, end);
        running_.erase(end.number);
      }
      if (!signals.came()) begin_some();
    }
    engine_.cancel();
  }

 private:
  void begin_some() {
    for (; next_ < jobs_.size() && running_.size() < at_a_time_; ++next_) {
      Job& job = jobs_[next_];
      if (ended_.contains(job.key)) continue;
      if (!fs::exists(jobs_file_)) return;  // it is called off
      if (fs::exists(job.result)) {
        journal_.ended(job.key, {});
        continue;
      }
      job.number = next_;
      journal_.begun(job.key);
      running_.insert(next_);
      engine_.submit({job});
    }
  }

  const fs::path jobs_file_;
  std::vector<Job> jobs_;
  const std::set<std::string> ended_;
  const unsigned at_a_time_;
  TaskJournal journal_;
  LocalEngine engine_;
  std::size_t next_ = 0;
  std::set<std::size_t> running_;
};

}  // namespace

std::size_t slurm_task_index() {
  const char* const text = std::getenv("SLURM_ARRAY_TASK_ID");
  std::size_t index = 0;
  if (!text || std::from_chars(text, text + std::string_view(text).size(), index).ec != std::errc())
    throw Error("SLURM_ARRAY_TASK_ID: is not set to a number\n  Slurm starts this command itself");
  return index;
}

int run_slurm_task(const fs::path& array, std::size_t index, unsigned at_a_time,
                   const process::DeferredSignals& signals) {
  if (!fs::exists(jobs_file(array, index))) return 0;
  SlurmTask(array, index, at_a_time, signals).run(signals);
  return signals.came() ? 1 : 0;
}

}  // namespace warpfork::sweep
