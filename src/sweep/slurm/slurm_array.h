// An array of tasks that was given to Slurm: a folder that any host can read, and what it says.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sweep/engine.h"
#include "sweep/slurm/task_journal.h"

namespace warpfork::sweep {

/// Files of its folder:
///   K.jobs       the jobs of task K, a line of JSON each
///   script       what each task runs
///   job          the number that Slurm gave it
///   K.X.journal  what task K has done: one for each time that Slurm ran it, which may be two at once
///   K.out        what it had to say
/// A task without its file of jobs has nothing to do: to remove the folder is to call off tasks that nothing else
/// reaches.
class SlurmArray {
 public:
  struct Task {
    std::vector<std::string> keys;       // of its jobs, in their order
    std::set<std::string> begun, ended;  // of these
    bool is_lost = false;                // it is no more, and not all of its jobs have ended
    unsigned misses = 0;                 // times in a row that Slurm did not have it under way
    std::string state;                   // that Slurm last had it in

    bool is_over() const { return is_lost || ended.size() == keys.size(); }
  };

  /// A new one in `parent`: tasks of `chunk` jobs each. `command` is what its script runs, after the lines `options`.
  static SlurmArray make(const std::filesystem::path& parent, const std::vector<const Job*>& jobs, std::size_t chunk,
                         const std::vector<std::string>& options, const std::vector<std::string>& command);
  /// Those in `parent`, by name. What was never whole is removed.
  static std::vector<SlurmArray> find(const std::filesystem::path& parent);

  std::string name() const { return folder_.filename().string(); }
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path script() const { return folder_ / "script"; }
  /// Empty if it is not known whether Slurm has ever had it.
  std::string job() const;
  /// The end of what the task had to say.
  std::string output(std::size_t task) const;
  std::vector<Task>& tasks() { return tasks_; }
  const std::vector<Task>& tasks() const { return tasks_; }
  bool is_over() const;

  /// Reads what its tasks have written since; returns the ends of jobs, each once.
  std::vector<JournalEntry> look();
  void remove() const;

 private:
  explicit SlurmArray(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
  std::vector<Task> tasks_;
  std::map<std::filesystem::path, std::streamoff> read_;  // of each journal
};

/// Jobs of a task, in the file that the array keeps for it. Nothing if the file is no more.
std::vector<Job> read_jobs(const std::filesystem::path& file);
std::filesystem::path jobs_file(const std::filesystem::path& array, std::size_t task);
/// A name for one more.
std::filesystem::path new_journal(const std::filesystem::path& array, std::size_t task);
std::vector<std::filesystem::path> journals(const std::filesystem::path& array, std::size_t task);

}  // namespace warpfork::sweep
