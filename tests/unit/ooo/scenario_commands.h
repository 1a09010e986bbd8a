// Splits a scenario into its commands.
#pragma once

#include <sstream>
#include <string>

namespace warpfork::ooo {

/// Calls step(command, words behind it) for each line that is not empty; what follows a # does not count.
template <class Step>
void for_each_command(const std::string& commands, const Step& step) {
  std::istringstream lines(commands);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    if (std::string command; words >> command) step(command, words);
  }
}

}  // namespace warpfork::ooo
