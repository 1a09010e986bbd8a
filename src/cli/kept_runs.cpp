#include "cli/kept_runs.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "base/error.h"
#include "cli/output_file.h"
#include "config/toml_text.h"

namespace warpfork::cli {

namespace {

namespace fs = std::filesystem;

void write_document(const fs::path& file, const report::Json& document) {
  write_text(file.string(), report::write_document(document));
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

fs::path KeptRuns::file(const std::string& benchmark, const std::string& configuration) const {
  return folder_ / fmt::format("{}, {}.json", without_slashes(benchmark), without_slashes(configuration));
}

std::optional<report::Json> KeptRuns::find(const std::string& benchmark, const std::string& configuration) const {
  const fs::path kept = file(benchmark, configuration);
  if (!fs::exists(kept)) return std::nullopt;
  return read_document(kept);
}

void KeptRuns::keep(const std::string& benchmark, const std::string& configuration, const report::Json& totals) const {
  write_document(file(benchmark, configuration), totals);
}

}  // namespace warpfork::cli
