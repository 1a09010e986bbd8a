// What makes a point the point that it is: the contents of all that its result depends on.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/sweep_plan.h"
#include "report/json.h"
#include "simulation/simulation.h"
#include "sweep/point.h"

namespace warpfork::sweep {

struct IdentifiedPoint {
  Point point;
  std::string id;                  // the first 16 digits of the hash
  report::Json request;            // the key `point` of its document (docs/sweep.md): all that its run needs to know
  simulation::KeyUsers key_users;  // of its GPU
};

/// Reads each file and makes each machine once.
class Identifier {
 public:
  explicit Identifier(const config::SweepOptions& options);

  /// The point's hash is that of program, arguments, files that are named in them, the machine with all overrides, its
  /// prices, the options and the simulator. Throws Error with the point's label if a file is not there or the machine
  /// cannot be.
  IdentifiedPoint identify(const Point& point);

 private:
  struct Machine {
    std::string hash;
    std::string prices;  // file of what a run on it costs; empty = nobody asks
    simulation::KeyUsers key_users;
  };

  report::Json program_of(const Point& point);
  report::Json inputs_of(const Point& point);
  report::Json files_of(const Point& point);
  const Machine& machine_of(const Point& point);
  std::string file_hash(const std::string& file);

  report::Json options_, simulator_;
  bool energy_;
  std::map<std::string, std::string> files_;              // hashes by name
  std::map<std::string, report::Json> launches_;          // inputs of launch files by name
  std::map<std::vector<std::string>, Machine> machines_;  // by core, description and overrides
};

/// What of ourselves results depend on.
report::Json simulator();

/// The file that a plan means by it: a path, else one in the present folder, else one of warpfork's workloads. Throws
/// Error if there is none.
std::string find_program_file(const std::string& name);

}  // namespace warpfork::sweep
