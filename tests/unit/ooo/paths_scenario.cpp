#include "paths_scenario.h"

#include <bitset>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "ooo/paths/path_scheduling_table.h"
#include "unit/ooo/scenario_commands.h"

namespace warpfork::ooo {
namespace {

PathId path_from(const std::string& name) { return static_cast<PathId>(std::stoul(name.substr(1))); }

class PathScenario {
 public:
  std::string run(const std::string& commands) {
    for_each_command(commands, [&](const std::string& command, std::istringstream& words) { step(command, words); });
    return text_;
  }

 private:
  void step(const std::string& command, std::istringstream& words) {
    if (command == "lanes") return void(words >> spec_.lanes);
    if (command == "entries") return void(words >> spec_.entries);
    if (command == "show") return show(words);
    std::string name;
    words >> name;
    if (command == "start") return start(name, words);
    const PathId path = path_from(name);
    if (command == "diverge") return diverge(path, words);
    if (command == "meet") return meet(path, words);
    if (command == "resolve") return resolve(path, words);
    if (command == "commit") return commit(path);
    if (command == "fetch") return paths().reference(path);
    if (command == "retire") return paths().dereference(path);
    throw std::runtime_error("no such command: " + command);
  }

  PathTable& paths() {
    if (!paths_) paths_ = std::make_unique<PathTable>(spec_);
    return *paths_;
  }

  static std::uint64_t pc(std::istringstream& words) {
    std::uint64_t pc = 0;
    words >> std::hex >> pc;
    return pc;
  }

  void start(const std::string& mask, std::istringstream& words) {
    schedule_.add(paths().start(std::bitset<64>(mask).to_ullong()), pc(words), 0);
  }

  void diverge(PathId from, std::istringstream& words) {
    const PathId created = paths().predict_divergence(from);
    if (created == kNoPath) return void(text_ += "stall\n");
    divergences_[created] = {from, created, kNoPath};
    schedule_.renew(from, created);
    schedule_.at(created).pc = pc(words);
  }

  void resolve(PathId created, std::istringstream& words) {
    if (convergences_.count(created) != 0) return paths().resolve(convergences_[created]);
    std::string mask;
    words >> mask;
    Divergence& divergence = divergences_[created];
    paths().resolve(divergence, std::bitset<64>(mask).to_ullong());
    schedule_.drop_nullified(paths());
    if (divergence.alternate != kNoPath) schedule_.add(divergence.alternate, pc(words), 0);
  }

  void meet(PathId path, std::istringstream& words) {
    schedule_.at(path).pc = pc(words);
    const PathId other = schedule_.convergent_with(path);
    if (other == kNoPath) return void(text_ += "nobody is there\n");
    const PathId created = paths().predict_convergence(other, path);
    convergences_[created] = {other, path, created};
    schedule_.converge(convergences_[created]);
  }

  void commit(PathId created) {
    if (convergences_.count(created) != 0)
      paths().commit(convergences_[created]);
    else
      paths().commit(divergences_[created]);
  }

  void show(std::istringstream& words) {
    std::string title;
    std::getline(words >> std::ws, title);
    text_ += title + "\n" + paths().describe() + schedule_.describe();
  }

  PathTableSpec spec_;
  std::unique_ptr<PathTable> paths_;
  PathSchedulingTable schedule_{4, 2};
  std::map<PathId, Divergence> divergences_;
  std::map<PathId, Convergence> convergences_;
  std::string text_;
};

}  // namespace

std::string run_paths(const std::string& commands) { return PathScenario().run(commands); }

}  // namespace warpfork::ooo
