#include "ooo/speculative_paths.h"

#include <fmt/format.h>

#include "base/error.h"

namespace warpfork::ooo {

void SpeculativePaths::start(LaneMask lanes, std::uint64_t pc, std::uint32_t depth) {
  const PathId path = table_.start(lanes);
  schedule_.add(path, pc, depth);
  states_[path] = PathState{};
  states_[path].lanes = lanes;
}

void SpeculativePaths::end(PathId path) {
  table_.end(path);
  schedule_.remove(path);
}

void SpeculativePaths::undo_end(PathId path, std::uint64_t pc, std::uint32_t depth) {
  table_.undo_end(path);
  schedule_again(path, pc, depth);
}

void SpeculativePaths::follow(PathId path, const x86::StaticInstruction& instruction, std::uint64_t target) {
  PathState& state = states_[path];
  ScheduledPath& at = schedule_.at(path);
  switch (instruction.branch) {
    case x86::BranchKind::Conditional:
      state.history.push(instruction.pc, target != instruction.fall_through());
      break;
    case x86::BranchKind::Call:
    case x86::BranchKind::IndirectCall:
      state.returns.push(instruction.fall_through());
      ++at.depth;
      break;
    case x86::BranchKind::Return:
      state.returns.pop();
      --at.depth;
      break;
    default:
      break;
  }
  at.pc = target;
  state.lost = at.waits = target == 0;
}

void SpeculativePaths::follow(PathId path, const x86::DynamicInstruction& executed, std::uint64_t target) {
  follow(path, *executed.instruction, target);
  if (executed.before_gap || target == executed.next_pc) schedule_.at(path).depth = executed.next_depth;
  if (executed.before_gap) states_[path].returns = ReturnStack{};
}

void SpeculativePaths::record(PathId path, BranchRecord& record) {
  const ScheduledPath& at = schedule_.at(path);
  record.pc = at.pc;
  record.depth = at.depth;
  record.before = states_[path];
}

void SpeculativePaths::restore(PathId path, const BranchRecord& record) {
  states_[path] = record.before;
  if (schedule_.holds(path)) schedule_.at(path).depth = record.depth;
}

void SpeculativePaths::go_back(PathId path, std::uint64_t pc) {
  if (!schedule_.holds(path)) return;
  ScheduledPath& at = schedule_.at(path);
  at.pc = pc;
  at.waits = false;
}

Convergence SpeculativePaths::converge(PathId path, PathId other) {
  Convergence convergence{path, other, table_.predict_convergence(path, other)};
  if (convergence.created == kNoPath) return convergence;
  const PathState &first = states_[path], &second = states_[other];
  const LaneMask lanes = first.lanes | second.lanes;
  states_[convergence.created] = first.lanes != 0 ? first : second;
  states_[convergence.created].lanes = lanes;
  schedule_.converge(convergence);
  return convergence;
}

void SpeculativePaths::diverge(const Divergence& divergence, LaneMask stay) {
  states_[divergence.created] = states_[divergence.from];
  states_[divergence.created].lanes = stay;
  schedule_.renew(divergence.from, divergence.created);
}

PathId SpeculativePaths::resolve(BranchRecord& record, LaneMask others) {
  table_.resolve(record.divergence, record.stays);
  schedule_.drop_nullified(table_);
  const PathId alternate = record.divergence.alternate;
  if (alternate == kNoPath) return kNoPath;
  // Where an older branch will yet be flushed, the masks hold lanes that are not here.
  check((others & ~table_.mask(alternate)) == 0,
        [&] { return fmt::format("the lanes that leave at {:x} are {:x}:\n{}", record.pc, others, describe()); });
  states_[alternate] = record.before;
  states_[alternate].lanes = others;
  schedule_.add(alternate, record.pc, record.depth);
  return alternate;
}

void SpeculativePaths::undo(const BranchRecord& record, Role role) {
  if (role == Role::Convergence) {
    unschedule(record.convergence.created);
    table_.undo(record.convergence);
    schedule_again(record.convergence.first, record.pc, record.depth);
    schedule_again(record.convergence.second, record.pc, record.depth);
    return;
  }
  unschedule(record.divergence.created);
  unschedule(record.divergence.alternate);
  table_.undo(record.divergence);
  schedule_again(record.divergence.from, record.pc, record.depth);
  states_[record.divergence.from] = record.before;
}

void SpeculativePaths::schedule_again(PathId path, std::uint64_t pc, std::uint32_t depth) {
  if (table_.scheduled(path) && !schedule_.holds(path)) schedule_.add(path, pc, depth);
}

void SpeculativePaths::unschedule(PathId path) {
  if (path != kNoPath && schedule_.holds(path)) schedule_.remove(path);
}

bool SpeculativePaths::all_wait() const {
  return !schedule_.paths().empty() &&
         std::ranges::all_of(schedule_.paths(), [this](const ScheduledPath& each) { return waits_at_event(each); });
}

}  // namespace warpfork::ooo
