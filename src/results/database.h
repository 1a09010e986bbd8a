// An SQLite database, and statements on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "report/json.h"

struct sqlite3;
struct sqlite3_stmt;

namespace warpfork::results {

class Database {
 public:
  enum class Use { Build, Read };

  /// A new file to be built, or one to be read alone. Throws Error with SQLite's reason.
  Database(const std::filesystem::path& file, Use use);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Runs statements that have no rows. Throws Error.
  void run(const std::string& sql);

  sqlite3* handle() const { return handle_; }

 private:
  sqlite3* handle_ = nullptr;
};

/// One statement, prepared once and run with many values.
class Statement {
 public:
  /// Throws Error with SQLite's reason; a faulty query's is the user's to read.
  Statement(const Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Inserts a row: null, number and text become themselves, true and false 1 and 0, anything else its JSON text.
  void insert(const std::vector<report::Json>& values);

  std::vector<std::string> columns() const;
  /// The next row of a query; false if there is none.
  bool next();
  /// Of the row: null, a number or a text.
  report::Json value(int column) const;

 private:
  void bind(int place, const report::Json& value);
  [[noreturn]] void fail() const;

  const Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

}  // namespace warpfork::results
