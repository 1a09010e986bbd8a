#include "block_scenario.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "divergence/registry.h"

namespace warpfork::golden {

std::string BlockScenario::run(const std::string& commands) {
  std::istringstream text(commands);
  for (std::string line; std::getline(text, line);)
    if (!line.empty() && line.front() != '#') command(line);
  return output_;
}

void BlockScenario::command(const std::string& line) {
  std::istringstream text(line);
  std::string verb, rest, block;
  unsigned warps = 0, width = 0;
  WarpId place = 0;
  text >> verb >> std::ws;
  if (verb == "issue") {
    text >> block >> place;
    issue(block, place);
  } else if (verb == "warps") {
    text >> warps >> width;
    lanes_.assign(warps, ActiveMask::first(width));
    domain_->launch(0, lanes_);
  } else {
    std::getline(text, rest);
    if (verb == "mechanism")
      domain_ = find_divergence_mechanism(rest).make({});
    else if (verb == "block")
      program_.add(rest);
    else if (verb == "show")
      show(rest);
    else
      throw std::runtime_error("unknown command: " + line);
  }
}

void BlockScenario::issue(const std::string& block, WarpId place) {
  const auto ids = domain_->runnable(place);
  if (ids.size() != 1 || program_.around(domain_->split(ids[0]).pc).name != block)
    throw std::runtime_error(
        fmt::format("nothing runs block {} in place {}:\n{}", block, place, domain_->describe(place)));
  const SplitId id = ids[0];
  for (bool at_end = false; !at_end;) {
    at_end = program_.is_last(domain_->split(id).pc);
    execute(id);
  }
}

void BlockScenario::execute(SplitId id) {
  const WarpSplit split = domain_->split(id);
  const NamedBlock& block = program_.around(split.pc);
  if (!program_.is_last(split.pc))
    domain_->step(id);
  else if (block.targets.size() == 1)
    domain_->jump(id, program_.named(block.targets[0].first).first);
  else
    domain_->advance(id, paths_of(split), program_.reconvergence(split.pc));
}

/// BlockProgram's masks are of the threads of the block, those of a path of the split's lanes.
std::vector<Path> BlockScenario::paths_of(const WarpSplit& split) const {
  const unsigned width = lanes_[0].count();
  std::vector<HomeLanes> homes{{split.warp, split.lanes}};
  if (split.compacted()) homes.assign(split.homes.begin(), split.homes.end());
  std::vector<Path> paths;
  for (const Path& target : program_.paths(split.pc, ActiveMask(~0u))) {
    Path path{target.pc, {}};
    for (const HomeLanes& home : homes)
      path.lanes |= ActiveMask(target.lanes.bits() >> (home.warp * width)) & home.lanes;
    if (path.lanes.any()) paths.push_back(path);
  }
  return paths;
}

void BlockScenario::show(const std::string& title) {
  output_ += title + "\n";
  for (WarpId place = 0; place < lanes_.size(); ++place)
    output_ += fmt::format("place {}: {}", place, program_.with_names(domain_->describe(place)));
}

}  // namespace warpfork::golden
