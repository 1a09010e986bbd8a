// A file as text.
#pragma once

#include <filesystem>
#include <string>

namespace warpfork::config {

/// The whole file. Throws Error with the system's reason if it cannot be read or is not a regular file.
std::string read_text(const std::filesystem::path& file);

}  // namespace warpfork::config
