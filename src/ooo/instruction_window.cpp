#include "ooo/instruction_window.h"

#include <algorithm>

namespace warpfork::ooo {

Fetched& InstructionWindow::push(const x86::StaticInstruction* instruction, LaneMask lanes, PathId path, Role role,
                                 Cycle now) {
  Fetched& fetched = instructions_.push_new();
  fetched.instruction = instruction;
  fetched.lanes = lanes;
  fetched.addresses = addresses_.end();
  fetched.path = path;
  fetched.role = role;
  fetched.decoded = now + depth_;
  buffered_ += decoded_uops(fetched);
  return fetched;
}

BranchRecord& InstructionWindow::push_branch() {
  youngest().branch = branches_.end();
  return branches_.push_new();
}

void InstructionWindow::push_addresses(const ExecutedByLane& executed) {
  Fetched& fetched = youngest();
  if (!fetched.instruction->accesses.empty())
    fetched.repeats = addresses_.append(*fetched.instruction, fetched.lanes, executed);
}

void InstructionWindow::drop_oldest() {
  const std::uint64_t number = begin();
  const Fetched& fetched = instructions_[number];
  if (fetched.role != Role::Plain) branches_.drop_before(fetched.branch + 1);
  instructions_.drop_before(number + 1);
  addresses_.drop_before(empty() ? addresses_.end() : instructions_[number + 1].addresses);
}

void InstructionWindow::drop_youngest() {
  const std::uint64_t number = end() - 1;
  const Fetched& fetched = instructions_[number];
  if (number >= taken_) buffered_ -= decoded_uops(fetched);
  taken_ = std::min(taken_, number);
  addresses_.drop_from(fetched.addresses);
  if (fetched.role != Role::Plain) branches_.drop_from(fetched.branch);
  instructions_.drop_from(number);
}

}  // namespace warpfork::ooo
