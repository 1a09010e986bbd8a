#include "config/toml_text.h"

#include "base/error.h"

namespace warpfork::config {

toml::table parse_toml(std::string_view text, std::string_view name) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw Error("{}{}", place(name, error.source()), error.description());
  }
}

std::string place(std::string_view name, const toml::source_region& source) {
  return fmt::format("{}:{}:{}: error: ", name, source.begin.line, source.begin.column);
}

nlohmann::ordered_json value_of(const toml::node& node, std::string_view name) {
  if (const auto* value = node.as_boolean()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_floating_point()) return value->get();
  if (const auto* value = node.as_string()) return value->get();
  const auto* list = node.as_array();
  if (!list) throw Error("{}a number, a string, true, false or a list is wanted here", place(name, node.source()));
  auto values = nlohmann::ordered_json::array();
  for (const toml::node& element : *list) {
    if (element.is_array()) throw Error("{}a list inside a list", place(name, element.source()));
    values.push_back(value_of(element, name));
  }
  return values;
}

}  // namespace warpfork::config
