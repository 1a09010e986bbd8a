// Where a machine file sets a key: for mistakes that show only once the whole description is read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpfork::config {

/// "file:line:column: error: " of the value of `path` ("core.scheduler"). Nothing if the file does not set it.
std::optional<std::string> place_of_key(const std::filesystem::path& file, std::string_view path);

}  // namespace warpfork::config
