#include "process/find_program.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace warpfork::process {

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string candidate = folder + "/" + name; access(candidate.c_str(), X_OK) == 0) return candidate;
  return {};
}

}  // namespace warpfork::process
