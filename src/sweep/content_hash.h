// SHA-256 of what a point depends on, as 64 hexadecimal digits.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpfork::sweep {

std::string hash_of(std::string_view bytes);

/// Of the file's bytes. Throws Error with the system's reason if it cannot be read.
std::string hash_of_file(const std::filesystem::path& file);

}  // namespace warpfork::sweep
