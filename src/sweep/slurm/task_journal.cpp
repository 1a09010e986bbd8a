#include "sweep/slurm/task_journal.h"

#include <nlohmann/json.hpp>

namespace warpfork::sweep {

using report::Json;

void TaskJournal::begun(const std::string& key) { lines_ << Json{{"begun", key}}.dump() + "\n" << std::flush; }

void TaskJournal::ended(const std::string& key, const JobEnd& end) {
  const Json line = {{"ended", key},
                     {"status", end.end.status},
                     {"signal", end.end.signal},
                     {"seconds", end.seconds},
                     {"peak_bytes", end.peak_bytes}};
  lines_ << line.dump() + "\n" << std::flush;
}

std::vector<JournalEntry> read_journal(const std::filesystem::path& file, std::streamoff& read) {
  std::vector<JournalEntry> entries;
  std::ifstream lines(file, std::ios::binary);
  lines.seekg(read);
  for (std::string text; std::getline(lines, text) && !lines.eof();) {
    read += static_cast<std::streamoff>(text.size() + 1);
    const Json line = Json::parse(text, nullptr, false);
    if (!line.is_object()) continue;
    if (line.contains("begun")) entries.push_back({line["begun"], std::nullopt});
    if (line.contains("ended"))
      entries.push_back({line["ended"], JobEnd{0,
                                               {line.value("status", 1), line.value("signal", 0)},
                                               line.value("seconds", 0.0),
                                               line.value("peak_bytes", std::uint64_t{0})}});
  }
  return entries;
}

}  // namespace warpfork::sweep
