#include "simulation/kept_runs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "config/text_file.h"
#include "process/output_file.h"

namespace warpfork::simulation {

namespace {

namespace fs = std::filesystem;

void write_document(const fs::path& file, const report::Json& document) {
  process::write_text(file.string(), report::write_document(document));
}

report::Json read_document(const fs::path& file) {
  report::Json document = report::Json::parse(config::read_text(file), nullptr, false);
  if (document.is_discarded()) throw Error("{}: is damaged\n  delete it: its run will be done again", file.string());
  return document;
}

/// A name may hold a slash, a file's may not.
std::string without_slashes(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '/' || c == '%' ? fmt::format("%{:02X}", c) : std::string(1, c);
  return text;
}

}  // namespace

KeptRuns::KeptRuns(fs::path folder, const report::Json& origin) : folder_(std::move(folder)) {
  std::error_code failure;
  fs::create_directories(recordings(), failure);
  if (failure) throw Error("{}: cannot be made: {}", recordings().string(), failure.message());
  const fs::path known = folder_ / "origin.json";
  if (!fs::exists(known))
    write_document(known, origin);
  else if (read_document(known) != origin)
    throw Error(
        "{}: holds runs of another experiment, scale, folder of programs or version of warpfork (see its origin.json)\n"
        "  name another folder, or delete this one",
        folder_.string());
}

fs::path KeptRuns::file(const experiment::RunName& run) const {
  std::string name = fmt::format("{}, {}", run.benchmark, run.configuration);
  if (!run.choice.empty()) name += fmt::format(", {}", run.choice);
  if (run.recording != 0) name += fmt::format(", recording {}", run.recording + 1);
  return folder_ / (without_slashes(name) + ".json");
}

std::optional<report::Json> KeptRuns::find(const experiment::RunName& run) const {
  const fs::path kept = file(run);
  if (!fs::exists(kept)) return std::nullopt;
  return read_document(kept);
}

void KeptRuns::keep(const experiment::RunName& run, const report::Json& totals) const {
  write_document(file(run), totals);
}

}  // namespace warpfork::simulation
