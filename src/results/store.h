// The database of a folder of results: made of its documents alone, so that equal documents make equal bytes.
#pragma once

#include <filesystem>
#include <string>

#include "report/json.h"

namespace warpfork::results {

struct StoreContents {
  std::size_t points = 0, failures = 0;
  bool is_fresh = false;  // it was up to date before
};

/// Makes FOLDER/results.sqlite anew, whole or not at all, if a document came since it was made. Throws Error if the
/// folder is none of a sweep's, a document is damaged, or with the system's or SQLite's reason.
StoreContents refresh(const std::filesystem::path& folder);

std::filesystem::path database_of(const std::filesystem::path& folder);

/// The rows of a query as text, aligned in columns; cells of more than 64 characters are shortened.
std::string query_table(const std::filesystem::path& folder, const std::string& sql);
/// The same as comma-separated values, names first; null is empty. As RFC 4180 has it, but for lines that end as those
/// of Unix tools, without a carriage return.
std::string query_csv(const std::filesystem::path& folder, const std::string& sql);
/// The same with numbers as numbers: `columns`, a list of names, and `rows`, a list of lists.
report::Json query_json(const std::filesystem::path& folder, const std::string& sql);

}  // namespace warpfork::results
