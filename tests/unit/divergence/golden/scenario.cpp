#include "scenario.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "divergence/registry.h"

namespace warpfork::golden {

namespace {

ActiveMask mask_from(const std::string& digits) {
  return ActiveMask(static_cast<std::uint32_t>(std::stoul(digits, nullptr, 2)));
}

}  // namespace

std::string Scenario::run(const std::string& commands) {
  std::istringstream text(commands);
  for (std::string line; std::getline(text, line);)
    if (!line.empty() && line.front() != '#') command(line);
  return output_;
}

void Scenario::command(const std::string& line) {
  std::istringstream text(line);
  std::string verb, rest;
  text >> verb >> std::ws;
  std::getline(text, rest);
  if (verb == "mechanism") {
    domain_ = find_divergence_mechanism(rest).make({});
  } else if (verb == "block") {
    program_.add(rest);
  } else if (verb == "goes") {
    program_.redirect(rest);
  } else if (verb == "warp") {
    const ActiveMask lanes = mask_from(rest);
    domain_->launch(0, {&lanes, 1});
  } else if (verb == "issue") {
    issue(rest);
  } else if (verb == "show") {
    output_ += rest + "\n";
    print_tables();
  } else if (verb == "timeline") {
    timeline();
  } else {
    throw std::runtime_error("unknown command: " + line);
  }
}

void Scenario::issue(const std::string& arguments) {
  std::istringstream text(arguments);
  std::string block, mask;
  unsigned count = 1000;
  text >> block >> mask >> count;
  for (SplitId id : domain_->runnable(0)) {
    if (domain_->split(id).lanes != mask_from(mask) || program_.around(domain_->split(id).pc).name != block) continue;
    for (bool at_end = false; count > 0 && !at_end; --count) {
      at_end = program_.is_last(domain_->split(id).pc);
      execute(id);
    }
    return;
  }
  throw std::runtime_error(fmt::format("no runnable split {} in block {}:\n{}", mask, block, domain_->describe(0)));
}

void Scenario::execute(SplitId id) {
  const WarpSplit split = domain_->split(id);
  if (program_.is_last(split.pc)) {
    domain_->advance(id, program_.paths(split.pc, split.lanes), program_.reconvergence(split.pc));
  } else if (split.pc + 1 == split.reconvergence_pc) {
    const Path path{split.pc + 1, split.lanes};
    domain_->advance(id, {&path, 1}, program_.reconvergence(split.pc));
  } else {
    domain_->step(id);
  }
}

void Scenario::timeline() {
  output_ += "cycle\n";
  unsigned cycle = 0, idle = 0;
  while (domain_->live(0).any()) {
    ++cycle;
    const SplitId* id = ready_split(cycle);
    if (id == nullptr) {
      output_ += fmt::format("{:>5}  idle\n", cycle);
      ++idle;
      continue;
    }
    const WarpSplit split = domain_->split(*id);
    output_ += fmt::format("{:>5}  {:<4} {}\n", cycle, program_.place(split.pc), split.lanes.to_string(4));
    split.lanes.for_each([&](unsigned lane) {
      issued_at_[lane] = cycle;
      ready_at_[lane] = cycle + program_.latency(split.pc);
    });
    execute(split.id);
    if (program_.is_last(split.pc) && domain_->live(0).any()) print_tables();
  }
  output_ += fmt::format("{} cycles, {} idle\n", cycle, idle);
}

const SplitId* Scenario::ready_split(unsigned cycle) const {
  const SplitId* best = nullptr;
  const auto issued = [&](SplitId id) { return issued_at_[domain_->split(id).lanes.lowest()]; };
  for (const SplitId& id : domain_->runnable(0)) {
    bool is_ready = true;
    domain_->split(id).lanes.for_each([&](unsigned lane) { is_ready &= ready_at_[lane] <= cycle; });
    if (is_ready && (best == nullptr || issued(id) < issued(*best))) best = &id;
  }
  return best;
}

void Scenario::print_tables() { output_ += program_.with_names(domain_->describe(0)); }

}  // namespace warpfork::golden
