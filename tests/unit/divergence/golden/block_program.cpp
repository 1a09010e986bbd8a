#include "block_program.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

namespace warpfork::golden {

namespace {

std::vector<std::pair<std::string, ActiveMask>> parse_targets(std::istream& text) {
  std::vector<std::pair<std::string, ActiveMask>> targets;
  std::string name, mask;
  while (text >> name >> mask)
    targets.emplace_back(name, ActiveMask(static_cast<std::uint32_t>(std::stoul(mask, nullptr, 2))));
  return targets;
}

}  // namespace

void BlockProgram::add(const std::string& definition) {
  std::istringstream text(definition);
  NamedBlock block;
  std::size_t size = 0;
  text >> block.name >> size;
  if (!blocks_.empty()) block.first = blocks_.back().first + static_cast<Pc>(blocks_.back().latencies.size());
  block.latencies.assign(size, 1);
  for (std::string word; text >> word && word != "->";) {
    if (word == "latency")
      for (unsigned& latency : block.latencies) text >> latency;
    if (word == "meets") text >> block.meets;
  }
  block.targets = parse_targets(text);
  blocks_.push_back(block);
}

void BlockProgram::redirect(const std::string& definition) {
  std::istringstream text(definition);
  std::string name, arrow;
  text >> name >> arrow;
  for (NamedBlock& block : blocks_)
    if (block.name == name) block.targets = parse_targets(text);
}

const NamedBlock& BlockProgram::named(const std::string& name) const {
  for (const NamedBlock& block : blocks_)
    if (block.name == name) return block;
  throw std::runtime_error("no block " + name);
}

const NamedBlock& BlockProgram::around(Pc pc) const {
  for (const NamedBlock& block : blocks_)
    if (pc >= block.first && pc < block.first + block.latencies.size()) return block;
  throw std::runtime_error(fmt::format("no block around pc {}", pc));
}

bool BlockProgram::is_last(Pc pc) const {
  const NamedBlock& block = around(pc);
  return pc + 1 == block.first + block.latencies.size();
}

unsigned BlockProgram::latency(Pc pc) const { return around(pc).latencies[pc - around(pc).first]; }

Pc BlockProgram::reconvergence(Pc pc) const {
  const std::string& meets = around(pc).meets;
  return meets.empty() ? kNoPc : named(meets).first;
}

std::vector<Path> BlockProgram::paths(Pc pc, ActiveMask lanes) const {
  std::vector<Path> paths;
  for (const auto& [name, mask] : around(pc).targets)
    if (mask.intersects(lanes)) paths.push_back({named(name).first, mask & lanes});
  return paths;
}

std::string BlockProgram::place(Pc pc) const {
  const NamedBlock& block = around(pc);
  return pc == block.first ? block.name : fmt::format("{}+{}", block.name, pc - block.first);
}

std::string BlockProgram::with_names(const std::string& tables) const {
  std::istringstream text(tables);
  std::string result;
  for (std::string line; std::getline(text, line); result += line + "\n") {
    if (line.front() != ' ') continue;
    std::istringstream row(line);
    std::string pc, rpc, rest;
    row >> pc >> rpc;
    std::getline(row, rest);
    const auto name = [&](const std::string& column) {
      return column == "-" ? column : place(static_cast<Pc>(std::stoul(column)));
    };
    line = fmt::format("      {:>5} {:>5}{}", name(pc), name(rpc), rest);
  }
  return result;
}

}  // namespace warpfork::golden
