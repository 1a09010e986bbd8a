#include "results/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/error.h"
#include "config/text_file.h"
#include "process/output_file.h"
#include "report/text_table.h"
#include "results/database.h"
#include "results/tables.h"

namespace warpfork::results {

namespace {

namespace fs = std::filesystem;
using report::Json;

constexpr int kSchema = 4;  // of the tables; rises when a query written for the former number could go wrong

std::set<fs::path> documents(const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.insert(entry.path());
  return files;
}

void add_all(Tables& tables, const std::set<fs::path>& files) {
  for (const fs::path& file : files) {
    const Json document = Json::parse(config::read_text(file), nullptr, false);
    if (document.is_discarded()) throw Error("{}: is damaged\n  delete it: its point will be run again", file.string());
    tables.add(file.stem(), document);
  }
}

void build(const fs::path& file, const std::set<fs::path>& points, const std::set<fs::path>& failures) {
  fs::remove(file);
  Database database(file, Database::Use::Build);
  // Nobody sees the file before it is whole: what SQLite does for a crash in between is not needed.
  database.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  Tables tables(database);
  add_all(tables, points);
  add_all(tables, failures);
  tables.make_views();
  database.run(fmt::format("COMMIT; PRAGMA user_version = {}", kSchema));
}

/// A folder's time changes with every document that comes to it. A database of the same tick is not trusted.
bool is_fresh(const fs::path& folder) {
  const fs::path database = database_of(folder);
  if (!fs::exists(database)) return false;
  const fs::file_time_type made = fs::last_write_time(database);
  if (made <= fs::last_write_time(folder / "points") || made <= fs::last_write_time(folder / "failures")) return false;
  const Database present(database, Database::Use::Read);
  Statement version(present, "PRAGMA user_version");
  return version.next() && version.value(0) == kSchema;
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Of a cell in a table on the terminal: a hash of SHA-256 is whole, a document of a launch is not.
constexpr std::size_t kMostCharacters = 64;

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

/// The same as query_json() as text, first the names, then each row.
std::vector<std::vector<std::string>> query_text(const fs::path& folder, const std::string& sql) {
  const Json answer = query_json(folder, sql);
  std::vector<std::vector<std::string>> rows{answer.at("columns")};
  for (const Json& row : answer.at("rows")) {
    rows.emplace_back();
    for (const Json& value : row) rows.back().push_back(text_of(value));
  }
  return rows;
}

}  // namespace

fs::path database_of(const fs::path& folder) { return folder / "results.sqlite"; }

StoreContents refresh(const fs::path& folder) {
  if (!fs::is_directory(folder / "points") || !fs::is_directory(folder / "failures"))
    throw Error("{}: holds no results of a sweep\n  name the folder that `warpfork sweep` named", folder.string());
  const std::set<fs::path> points = documents(folder / "points");
  std::set<fs::path> failures = documents(folder / "failures");
  std::erase_if(failures, [&](const fs::path& file) { return points.contains(folder / "points" / file.filename()); });
  if (is_fresh(folder)) return {points.size(), failures.size(), true};
  process::OutputFile output(database_of(folder).string());
  build(output.path(), points, failures);
  output.keep();
  return {points.size(), failures.size(), false};
}

Json query_json(const fs::path& folder, const std::string& sql) {
  const Database database(database_of(folder), Database::Use::Read);
  Statement query(database, sql);
  const std::vector<std::string> names = query.columns();
  Json rows = Json::array();
  while (query.next()) {
    Json row = Json::array();
    for (std::size_t i = 0; i < names.size(); ++i) row.push_back(query.value(static_cast<int>(i)));
    rows.push_back(std::move(row));
  }
  return {{"columns", names}, {"rows", std::move(rows)}};
}

std::string query_table(const fs::path& folder, const std::string& sql) {
  std::vector<std::vector<std::string>> rows = query_text(folder, sql);
  for (std::vector<std::string>& row : rows)
    for (std::string& cell : row) {
      std::ranges::replace(cell, '\n', ' ');  // messages have several lines; a row is one
      cell = report::shortened(cell, kMostCharacters);
    }
  report::TextTable table(rows.front());
  for (std::size_t i = 1; i < rows.size(); ++i) table.add(std::move(rows[i]));
  return table.text();
}

std::string query_csv(const fs::path& folder, const std::string& sql) {
  std::string text;
  for (const std::vector<std::string>& row : query_text(folder, sql)) {
    const char* separator = "";
    for (const std::string& field : row) {
      text += separator + csv_field(field);
      separator = ",";
    }
    text += '\n';
  }
  return text;
}

}  // namespace warpfork::results
