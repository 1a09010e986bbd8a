#include "results/database.h"

#include <sqlite3.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace warpfork::results {

using report::Json;

Database::Database(const std::filesystem::path& file, Use use) {
  const int flags = use == Use::Read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(file.c_str(), &handle_, flags, nullptr) == SQLITE_OK) return;
  const std::string why = sqlite3_errmsg(handle_);
  sqlite3_close(handle_);
  throw Error("{}: cannot be opened: {}", file.string(), why);
}

Database::~Database() { sqlite3_close(handle_); }

void Database::run(const std::string& sql) {
  char* why = nullptr;
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &why) == SQLITE_OK) return;
  const std::string message = why ? why : "unknown";
  sqlite3_free(why);
  throw Error("database: {}", message);
}

Statement::Statement(const Database& database, const std::string& sql) : database_(database) {
  const char* rest = nullptr;
  if (sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &handle_, &rest) != SQLITE_OK) fail();
  if (!handle_) throw Error("database: the query is empty");
  if (std::string_view(rest).find_first_not_of(" \n\t;") == std::string_view::npos) return;
  sqlite3_finalize(handle_);
  throw Error("database: more than one statement: {}", rest);
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::fail() const { throw Error("database: {}", sqlite3_errmsg(database_.handle())); }

void Statement::bind(int place, const Json& value) {
  int status = SQLITE_OK;
  if (value.is_null())
    status = sqlite3_bind_null(handle_, place);
  else if (value.is_boolean() || value.is_number_integer())
    status = sqlite3_bind_int64(handle_, place, value.is_boolean() ? value.get<bool>() : value.get<std::int64_t>());
  else if (value.is_number())
    status = sqlite3_bind_double(handle_, place, value.get<double>());
  else {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    status = sqlite3_bind_text(handle_, place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  if (status != SQLITE_OK) fail();
}

void Statement::insert(const std::vector<Json>& values) {
  int place = 0;
  for (const Json& value : values) bind(++place, value);
  if (sqlite3_step(handle_) != SQLITE_DONE) fail();
  sqlite3_reset(handle_);
}

std::vector<std::string> Statement::columns() const {
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(handle_); ++i) names.emplace_back(sqlite3_column_name(handle_, i));
  return names;
}

bool Statement::next() {
  const int status = sqlite3_step(handle_);
  if (status != SQLITE_ROW && status != SQLITE_DONE) fail();
  return status == SQLITE_ROW;
}

Json Statement::value(int column) const {
  switch (sqlite3_column_type(handle_, column)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(handle_, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(handle_, column);
    default:
      return std::string(reinterpret_cast<const char*>(sqlite3_column_text(handle_, column)),
                         static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
  }
}

}  // namespace warpfork::results
