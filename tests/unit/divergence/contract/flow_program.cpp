#include "flow_program.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace warpfork::contract {

using Kind = FlowInstruction::Kind;

namespace {

constexpr unsigned kUnreachable = ~0u;

bool lacks(const std::vector<Pc>& list, Pc pc) { return std::find(list.begin(), list.end(), pc) == list.end(); }

}  // namespace

FlowProgram::FlowProgram(std::vector<FlowInstruction> code, ReconvergenceRule rule)
    : code_(std::move(code)), rule_(rule) {
  code_.back() = {.kind = Kind::Leave, .targets = {}, .always = true};
  connect();
  find_distances();
  // What cannot reach the exit becomes sequential, last first, until everything can.
  for (Pc pc = size(); pc-- > 0;) {
    if (distance_[pc] != kUnreachable) continue;
    code_[pc] = FlowInstruction{};
    connect();
    find_distances();
  }
  find_block_ends();
  find_reconvergence();
}

void FlowProgram::connect() {
  successors_.assign(size(), {});
  for (Pc pc = 0; pc < size(); ++pc) {
    if (code_[pc].kind == Kind::Branch) {
      for (Pc target : code_[pc].targets)
        if (lacks(successors_[pc], target)) successors_[pc].push_back(target);
    } else if (!code_[pc].always) {
      successors_[pc].push_back(pc + 1);
    }
  }
}

void FlowProgram::find_block_ends() {
  ends_block_.assign(size(), false);
  for (Pc pc = 0; pc < size(); ++pc) {
    if (code_[pc].kind != Kind::Branch && code_[pc].kind != Kind::Leave) continue;
    ends_block_[pc] = true;
    for (Pc target : successors_[pc])
      if (target > 0) ends_block_[target - 1] = true;
  }
}

void FlowProgram::find_distances() {
  distance_.assign(size(), kUnreachable);
  for (bool changed = true; changed;) {
    changed = false;
    for (Pc pc = size(); pc-- > 0;) {
      unsigned best = can_exit(pc) ? 0 : kUnreachable;
      for (Pc next : successors_[pc])
        if (distance_[next] != kUnreachable) best = std::min(best, distance_[next] + 1);
      changed |= best != distance_[pc];
      distance_[pc] = best;
    }
  }
}

void FlowProgram::find_reconvergence() {
  // postdominators[pc] = {pc} united with what all successors have in common; the exit has none.
  std::vector<std::vector<bool>> postdominators(size(), std::vector<bool>(size(), true));
  for (bool changed = true; changed;) {
    changed = false;
    for (Pc pc = size(); pc-- > 0;) {
      const bool exits = code_[pc].always || (can_exit(pc) && rule_ == ReconvergenceRule::Postdominator);
      std::vector<bool> common(size(), !exits);
      for (Pc next : successors_[pc])
        for (Pc p = 0; p < size(); ++p) common[p] = common[p] && postdominators[next][p];
      common[pc] = true;
      changed |= common != postdominators[pc];
      postdominators[pc] = common;
    }
  }
  reconvergence_.assign(size(), kNoPc);
  for (Pc pc = 0; pc < size(); ++pc) {
    std::vector<bool> strict = postdominators[pc];
    strict[pc] = false;
    for (Pc p = 0; p < size(); ++p)
      if (strict[p] && postdominators[p] == strict) reconvergence_[pc] = p;
  }
}

std::string FlowProgram::to_string() const {
  std::string text;
  for (Pc pc = 0; pc < size(); ++pc) {
    const FlowInstruction& instruction = code_[pc];
    text += fmt::format("  {:>3}: ", pc);
    switch (instruction.kind) {
      case Kind::Step:
        text += "step";
        break;
      case Kind::Branch:
        text += fmt::format("branch {}", fmt::join(instruction.targets, " "));
        break;
      case Kind::Leave:
        text += instruction.always ? "exit" : "some exit";
        break;
      case Kind::Barrier:
        text += "barrier";
        break;
    }
    if (reconvergence_[pc] != kNoPc && ends_block_[pc]) text += fmt::format("  (meet at {})", reconvergence_[pc]);
    text += "\n";
  }
  return text;
}

}  // namespace warpfork::contract
