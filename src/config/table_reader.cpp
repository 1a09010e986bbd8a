#include "config/table_reader.h"

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace warpfork::config {

namespace {

std::optional<Literal> literal_of(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* text = node.as_string()) return text->get();
  return std::nullopt;
}

}  // namespace

TableReader::TableReader(const toml::table& table, std::string_view file, std::string_view what,
                         std::vector<std::string> keys)
    : table_(table), file_(file), what_(what) {
  for (const auto& [key, value] : table)
    if (std::find(keys.begin(), keys.end(), key.str()) == keys.end())
      throw Error("{}{} has no key '{}'\n  nearest: {}", config::place(file_, key.source()), what_, key.str(),
                  fmt::join(nearest_names(key.str(), keys), ", "));
}

const toml::node& TableReader::node(std::string_view key) const {
  const toml::node* found = table_.get(key);
  if (!found) throw Error("{}{} needs the key '{}'", place(key), what_, key);
  return *found;
}

std::string TableReader::place(std::string_view key) const {
  const toml::node* found = table_.get(key);
  return config::place(file_, found ? found->source() : table_.source());
}

void TableReader::wanted(std::string_view key, std::string_view kind) const {
  throw Error("{}'{}' must be {}", place(key), key, kind);
}

std::string TableReader::text(std::string_view key) const {
  const auto* value = node(key).as_string();
  if (!value) wanted(key, "a string");
  return value->get();
}

nlohmann::ordered_json TableReader::values(std::string_view key) const {
  nlohmann::ordered_json value = value_of(node(key), file_);
  return value.is_array() ? value : nlohmann::ordered_json::array({std::move(value)});
}

std::vector<std::string> TableReader::texts(std::string_view key) const {
  std::vector<std::string> all;
  if (!has(key)) return all;
  if (node(key).is_string()) return {text(key)};
  const auto* list = node(key).as_array();
  if (!list) wanted(key, "a list of strings");
  for (const toml::node& element : *list) {
    if (!element.is_string()) wanted(key, "a list of strings");
    all.push_back(element.as_string()->get());
  }
  return all;
}

std::string TableReader::choice(std::string_view key, const std::vector<std::string>& known) const {
  const std::string word = text(key);
  require_known(key, word, known);
  return word;
}

std::vector<std::string> TableReader::choices(std::string_view key, const std::vector<std::string>& known) const {
  std::vector<std::string> words = texts(key);
  for (const std::string& word : words) require_known(key, word, known);
  return words;
}

void TableReader::require_known(std::string_view key, const std::string& word,
                                const std::vector<std::string>& known) const {
  if (std::find(known.begin(), known.end(), word) == known.end())
    throw Error("{}'{}': there is no '{}'\n  known: {}", place(key), key, word, fmt::join(known, ", "));
}

bool TableReader::boolean(std::string_view key) const {
  const auto* value = node(key).as_boolean();
  if (!value) wanted(key, "true or false");
  return value->get();
}

double TableReader::real(std::string_view key) const {
  const auto value = node(key).value<double>();
  if (!node(key).is_number() || !value) wanted(key, "a number");
  return *value;
}

std::map<std::string, std::string> TableReader::texts_by_name(std::string_view key) const {
  const auto* table = node(key).as_table();
  if (!table) wanted(key, "a table of strings");
  std::map<std::string, std::string> all;
  for (const auto& [name, value] : *table) {
    if (!value.is_string()) wanted(key, "a table of strings");
    all[std::string(name)] = value.as_string()->get();
  }
  return all;
}

std::map<std::string, double> TableReader::reals(std::string_view key, const std::vector<std::string>& known) const {
  std::map<std::string, double> all;
  if (!has(key)) return all;
  const auto* table = node(key).as_table();
  if (!table) wanted(key, "a table of numbers");
  for (const auto& [name, value] : *table) {
    require_known(key, std::string(name), known);
    const auto number = value.value<double>();
    if (!value.is_number() || !number) wanted(key, "a table of numbers");
    all[std::string(name)] = *number;
  }
  return all;
}

std::uint64_t TableReader::natural(std::string_view key, std::uint64_t highest) const {
  const auto* value = node(key).as_integer();
  if (!value || value->get() < 0 || static_cast<std::uint64_t>(value->get()) > highest)
    wanted(key, fmt::format("an integer from 0 to {}", highest));
  return static_cast<std::uint64_t>(value->get());
}

Dim3 TableReader::extent(std::string_view key) const {
  std::vector<std::int64_t> sides;
  if (const auto* list = node(key).as_array()) {
    for (const toml::node& side : *list) sides.push_back(side.is_integer() ? side.as_integer()->get() : 0);
  } else if (const auto* single = node(key).as_integer()) {
    sides.push_back(single->get());
  }
  const auto good = [](std::int64_t side) { return side >= 1 && side <= std::numeric_limits<std::int32_t>::max(); };
  if (sides.empty() || sides.size() > 3 || !std::all_of(sides.begin(), sides.end(), good))
    wanted(key, "one to three integers of at least 1");
  sides.resize(3, 1);
  return {static_cast<std::uint32_t>(sides[0]), static_cast<std::uint32_t>(sides[1]),
          static_cast<std::uint32_t>(sides[2])};
}

ScalarType TableReader::scalar_type(std::string_view key) const {
  const ScalarType* type = find_scalar_type(text(key));
  if (!type)
    throw Error("{}there is no type '{}'\n  types: {}", place(key), text(key), fmt::join(scalar_type_names(), ", "));
  return *type;
}

std::vector<std::byte> TableReader::scalars(std::string_view key, const ScalarType& type) const {
  std::vector<std::byte> bytes;
  const auto append = [&](const toml::node& element) {
    const auto literal = literal_of(element);
    const auto encoded = literal ? encode(type, *literal) : std::nullopt;
    if (!encoded)
      throw Error("{}not a value of type {}\n  {}", config::place(file_, element.source()), type.name,
                  type.kind == ScalarType::Kind::Float
                      ? "allowed: numbers, inf, nan, and bit patterns as \"0f3f800000\" (f32) or \"0d…\" (f64)"
                      : "allowed: integers in the type's range, also as \"0xffffffffffffffff\"");
    bytes.insert(bytes.end(), encoded->begin(), encoded->end());
  };
  if (const auto* list = node(key).as_array())
    for (const toml::node& element : *list) append(element);
  else
    append(node(key));
  return bytes;
}

std::vector<const toml::table*> TableReader::tables(std::string_view key) const {
  std::vector<const toml::table*> found;
  if (!has(key)) return found;
  const auto* list = node(key).as_array();
  if (!list || !list->is_array_of_tables()) wanted(key, fmt::format("a list of tables: [[{}]]", key));
  for (const toml::node& element : *list) found.push_back(element.as_table());
  return found;
}

}  // namespace warpfork::config
