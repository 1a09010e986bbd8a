// One point of a sweep: one run of a program on a machine.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/json.h"

namespace warpfork::sweep {

struct Point {
  std::string program, machine;                            // their names in the plan
  std::vector<std::pair<std::string, report::Json>> axes;  // those that make a difference to it, with its values
  std::string file, launch;                                // of the program, with the axes' values
  std::vector<std::string> arguments;
  std::string description, core;                   // of the machine
  std::vector<std::string> overrides;              // path.to.key=value
  std::map<std::string, std::string> groups = {};  // of kernels whose totals are told, too: regular expressions by name
  std::string place;                               // of the machine in the plan, for messages

  bool on_cpu() const { return !core.empty(); }
  /// "bfs on fermi"
  std::string work() const { return program + " on " + machine; }
  /// "bfs on fermi: nodes 1000, mechanism pdom"
  std::string label() const;
};

}  // namespace warpfork::sweep
