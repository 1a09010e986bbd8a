// TOML text with places: what every reader of a configuration file needs for its messages.
#pragma once

#include <toml++/toml.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace warpfork::config {

/// Throws Error with name, line and column if the text is not TOML.
toml::table parse_toml(std::string_view text, std::string_view name);

/// "file:line:column: error: " of a node or key.
std::string place(std::string_view name, const toml::source_region& source);

/// A plain value or a list of them. Throws Error for what machine and launch files never hold (dates, nested tables).
nlohmann::ordered_json value_of(const toml::node& node, std::string_view name);

}  // namespace warpfork::config
