// What a task of an array does, told to whoever waits for it: lines of JSON in a file that it alone writes.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "sweep/engine.h"

namespace warpfork::sweep {

/// A job that has begun, or one that has ended. The end's number is the task's affair.
struct JournalEntry {
  std::string key;
  std::optional<JobEnd> end;
};

/// Written lines:
///   {"begun":"0f3a5c11e0d2b479"}
///   {"ended":"0f3a5c11e0d2b479","peak_bytes":18874368,"seconds":0.31,"signal":0,"status":0}
class TaskJournal {
 public:
  explicit TaskJournal(const std::filesystem::path& file) : lines_(file, std::ios::app) {}

  void begun(const std::string& key);
  void ended(const std::string& key, const JobEnd& end);

 private:
  std::ofstream lines_;
};

/// The whole lines after the first `read` bytes of the file, which become more by as many. Nothing if there is no file.
std::vector<JournalEntry> read_journal(const std::filesystem::path& file, std::streamoff& read);

}  // namespace warpfork::sweep
