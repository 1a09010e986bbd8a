// A TOML table read key by key: every fault is an Error with file, line and column.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/types.h"
#include "config/scalar_type.h"
#include "config/toml_text.h"

namespace warpfork::config {

/// Reads one table whose keys are known beforehand; the constructor throws for any other key, with the nearest names.
class TableReader {
 public:
  /// `what` names the table in messages, such as "an argument".
  TableReader(const toml::table& table, std::string_view file, std::string_view what, std::vector<std::string> keys);

  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key) const;
  bool boolean(std::string_view key) const;
  double real(std::string_view key) const;
  /// An integer from 0 to `highest`.
  std::uint64_t natural(std::string_view key, std::uint64_t highest) const;
  /// One to three positive integers.
  Dim3 extent(std::string_view key) const;
  /// The type that `key` names.
  ScalarType scalar_type(std::string_view key) const;
  /// The bytes of a literal, or of a list of them, as elements of the type.
  std::vector<std::byte> scalars(std::string_view key, const ScalarType& type) const;
  /// A plain value or a list of them, as a list.
  nlohmann::ordered_json values(std::string_view key) const;
  /// A list of strings, or a single one; empty if the key is absent.
  std::vector<std::string> texts(std::string_view key) const;
  /// A table of strings.
  std::map<std::string, std::string> texts_by_name(std::string_view key) const;
  /// A table of numbers, each of whose keys must be one of `known`; empty if it is absent.
  std::map<std::string, double> reals(std::string_view key, const std::vector<std::string>& known) const;
  /// The string at `key`, which must be one of `known`.
  std::string choice(std::string_view key, const std::vector<std::string>& known) const;
  /// texts(), each of which must be one of `known`.
  std::vector<std::string> choices(std::string_view key, const std::vector<std::string>& known) const;
  /// A list of tables ([[key]]); empty if there is none.
  std::vector<const toml::table*> tables(std::string_view key) const;

  /// "file:line:column: error: " of the key's value, or of the table where it has none.
  std::string place(std::string_view key) const;

 private:
  const toml::node& node(std::string_view key) const;
  [[noreturn]] void wanted(std::string_view key, std::string_view kind) const;
  void require_known(std::string_view key, const std::string& word, const std::vector<std::string>& known) const;

  const toml::table& table_;
  std::string file_, what_;
};

}  // namespace warpfork::config
