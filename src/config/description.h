// Machine descriptions in and out: TOML files, --set assignments and JSON, for any struct that lists its fields.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/field.h"

namespace warpfork::config {

/// One line of `warpfork machines NAME`.
struct Key {
  std::string path;   // "core.warps"
  std::string value;  // as TOML and JSON write it
  std::string doc;
};

// The work, on fields; the functions for a Spec below are what callers use.
void bind_text(std::span<const Field> fields, std::string_view text, std::string_view name);
void bind_file(std::span<const Field> fields, const std::filesystem::path& file);
void bind_json(std::span<const Field> fields, const nlohmann::ordered_json& object, std::string_view name);
void apply_override(std::span<const Field> fields, std::string_view assignment);
nlohmann::ordered_json to_json(std::span<const Field> fields);
std::vector<Key> keys(std::span<const Field> fields);

/// Reads a TOML file into `spec`; what the file does not set stays as it is. Throws Error with file, line and column
/// for bad TOML, an unknown key (with the nearest names) or a value of the wrong type or range.
///
/// Printed sample:
///   gtx480.toml:12:1: error: there is no key 'core.wraps'
///     nearest: core.warps, core.blocks, core.banks
template <Described Spec>
void bind(Spec& spec, const std::filesystem::path& file) {
  bind_file(fields_of(spec), file);
}

/// The same for TOML text; `name` stands in messages for the file.
template <Described Spec>
void bind(Spec& spec, std::string_view text, std::string_view name) {
  bind_text(fields_of(spec), text, name);
}

/// The inverse of to_json(), with the same errors as bind(); `name` stands in messages.
template <Described Spec>
void bind_json(Spec& spec, const nlohmann::ordered_json& object, std::string_view name) {
  bind_json(fields_of(spec), object, name);
}

/// `path.to.key=value`, as --set takes it. Strings need no quotes; lists are `[1, 2]`. Throws Error as bind() does.
template <Described Spec>
void apply_override(Spec& spec, std::string_view assignment) {
  apply_override(fields_of(spec), assignment);
}

/// The whole description, keys in the order in which the Spec lists them.
template <Described Spec>
nlohmann::ordered_json to_json(Spec spec) {
  return to_json(fields_of(spec));
}

/// Every key with its value and its doc, in order.
template <Described Spec>
std::vector<Key> keys(Spec spec) {
  return keys(fields_of(spec));
}

}  // namespace warpfork::config
