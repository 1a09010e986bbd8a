// One value into one field, checked: shared by files, JSON and --set.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "config/field.h"

namespace warpfork::config {

/// Writes `value` to the field. Throws Error beginning with `place` if it is of the wrong type or out of range; `path`
/// is the field's name for the message.
void assign(const Field& field, const nlohmann::ordered_json& value, const std::string& place, const std::string& path);

/// The field's value.
nlohmann::ordered_json value_of(const Field::Target& target);

}  // namespace warpfork::config
