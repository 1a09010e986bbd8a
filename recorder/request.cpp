// SPDX-License-Identifier: GPL-2.0-or-later
#include "request.h"

#include <fstream>
#include <sstream>

namespace recorder {

namespace {

bool read_mark(std::istringstream& line, WatchedFunction& function) {
  unsigned kind = 0, opaque = 0, rule = 0;
  line >> kind >> opaque >> rule >> function.offset;
  if (rule > static_cast<unsigned>(ObjectRule::ThreadJoinTry)) return false;
  function.is_marked = true;
  function.kind = static_cast<std::uint8_t>(kind);
  function.is_opaque = opaque != 0;
  function.rule = static_cast<ObjectRule>(rule);
  return true;
}

}  // namespace

bool Request::read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return false;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string word;
    std::uint64_t number = 0;
    if (!(line >> word >> std::hex >> number)) return false;
    if (word == "limit") {
      limit = number;
    } else if (word == "start") {
      functions[number].is_start = waits_for_start = true;
    } else if (word == "region") {
      functions[number].is_region = has_region = true;
    } else if (word != "mark" || !read_mark(line, functions[number])) {
      return false;
    }
    if (!line) return false;
  }
  return true;
}

}  // namespace recorder
