#include "config/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/error.h"

namespace warpfork::config {

std::string read_text(const std::filesystem::path& file) {
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error("{}: error: not a regular file", file.string());
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error("{}: error: cannot be read: {}", file.string(), std::strerror(errno));
  std::ostringstream text;
  text << stream.rdbuf();  // in blocks, not character by character
  return std::move(text).str();
}

}  // namespace warpfork::config
