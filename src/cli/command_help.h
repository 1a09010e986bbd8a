// What the program's help says, as data: manual pages and completions are made from it.
#pragma once

#include <string>
#include <vector>

namespace warpfork::cli {

struct OptionHelp {
  std::vector<std::string> names;  // "-o", "--output"; empty: a value of that place
  std::string value;               // what stands for its value, "NAME", empty for a flag
  std::string description;
};

struct CommandHelp {
  std::string name;     // "run"
  std::string summary;  // one line
  std::string usage;    // lines, "Usage: …"
  std::string footer;   // what stands behind the options, lines
  std::vector<OptionHelp> options;
  std::vector<CommandHelp> commands;
};

}  // namespace warpfork::cli
