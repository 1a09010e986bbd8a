#include "process/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/error.h"

namespace warpfork::process {

TemporaryFolder::TemporaryFolder(const std::filesystem::path& parent) {
  std::string pattern = (parent / "warpfork-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw Error("{}: cannot be created: {}", pattern, std::strerror(errno));
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // a folder that stays behind harms nobody
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpfork::process
