// Words of a command.
#pragma once

#include <string>
#include <vector>

namespace warpfork::compiler {

inline void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

}  // namespace warpfork::compiler
