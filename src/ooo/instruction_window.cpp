#include "ooo/instruction_window.h"

#include <algorithm>

namespace warpfork::ooo {

BranchRecord& InstructionWindow::push_branch() {
  youngest().branch = branches_.end();
  return branches_.push_new();
}

void InstructionWindow::drop_youngest() {
  const std::uint64_t number = end() - 1;
  const Fetched& fetched = instructions_[number];
  if (number >= taken_) buffered_ -= fetched.uops;
  taken_ = std::min(taken_, number);
  addresses_.drop_from(fetched.addresses);
  if (fetched.role != Role::Plain) branches_.drop_from(fetched.branch);
  instructions_.drop_from(number);
}

}  // namespace warpfork::ooo
