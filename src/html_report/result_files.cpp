#include "html_report/result_files.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "config/text_file.h"

namespace warpfork::html_report {

namespace {

namespace fs = std::filesystem;
using report::Json;

constexpr int kSchema = 1;  // of all documents
constexpr const char* kWhatIsRead =
    "reports are made of what `run`, `compare`, `cpu run`, `cpu compare` and `experiment` write with --json, and of "
    "folders of results of `sweep`";

/// By name, so that a report does not depend on the order in which the system lists a folder.
std::vector<fs::path> documents_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool is_run(const Json& document) {
  return document.is_object() && document.contains("machine") && document.contains("totals") &&
         (document.contains("program") || document.contains("recording"));
}

class Reader {
 public:
  void read(const fs::path& file) {
    results_.folders.push_back(file.has_parent_path() ? file.parent_path() : fs::path("."));
    if (fs::is_directory(file))
      read_folder(file);
    else
      read_document(file);
  }
  Results take() {
    if (!results_.runs.empty() || !results_.experiments.empty()) return std::move(results_);
    if (all_failed_.empty()) throw Error("there is no result to report\n  {}", kWhatIsRead);
    throw Error("{}", fmt::join(all_failed_, "\n"));
  }

 private:
  void read_folder(const fs::path& folder) {
    const std::vector<fs::path> points = documents_in(folder / "points"), failures = documents_in(folder / "failures");
    if (points.empty() && failures.empty())
      throw Error("{}: this folder holds no results of a sweep (points/ID.json)\n  {}", folder.string(), kWhatIsRead);
    if (points.empty())
      all_failed_.push_back(
          fmt::format("{0}: all of its points failed ({1})\n  `warpfork why {2} --results {0}` tells why",
                      folder.string(), counted(failures.size(), "point"), failures.front().stem().string()));
    results_.failures += failures.size();
    for (const fs::path& point : points) read_document(point);
  }

  void read_document(const fs::path& file) {
    Json document = Json::parse(config::read_text(file), nullptr, false);
    results_.written = std::max(results_.written, fs::last_write_time(file));
    if (document.is_discarded()) throw Error("{}: is not JSON, or only a part of it\n  {}", file.string(), kWhatIsRead);
    if (!document.is_object() || !document.contains("schema")) refuse(file);
    if (document["schema"] != kSchema)
      throw Error("{}: is of schema {}, and schema {} is what this warpfork reads\n  make it anew with this version",
                  file.string(), document["schema"].dump(), kSchema);
    try {
      take_document(file, std::move(document));
    } catch (const Json::exception& error) {
      throw Error("{}: is no result of ours: {}\n  {}", file.string(), error.what(), kWhatIsRead);
    }
  }

  void take_document(const fs::path& file, Json document) {
    if (document.contains("experiment") && document.contains("figures"))
      results_.experiments.push_back(std::move(document));
    else if (document.contains("results"))
      for (Json& result : document["results"]) add_run(file, std::move(result), nullptr);
    else if (document.contains("point") && document.contains("result"))
      add_run(file, std::move(document["result"]), std::move(document["point"]));
    else
      add_run(file, std::move(document), nullptr);
  }

  void add_run(const fs::path& file, Json document, Json point) {
    if (!is_run(document)) refuse(file);
    results_.runs.push_back({file.filename().string(), std::move(document), std::move(point)});
  }

  [[noreturn]] static void refuse(const fs::path& file) {
    throw Error("{}: is no result of ours\n  {}", file.string(), kWhatIsRead);
  }

  Results results_;
  std::vector<std::string> all_failed_;  // of folders: what is said if there is nothing else
};

}  // namespace

Results read_results(std::span<const fs::path> files) {
  Reader reader;
  for (const fs::path& file : files) reader.read(file);
  return reader.take();
}

void refuse_values(std::span<const fs::path> files, const Json::exception& cause) {
  std::vector<std::string> names;
  for (const fs::path& file : files) names.push_back(file.string());
  throw Error("{}: is no result of ours: {}\n  {}", fmt::join(names, ", "), cause.what(), kWhatIsRead);
}

}  // namespace warpfork::html_report
