#include "ooo/spin_loop_filter.h"

#include <algorithm>
#include <bitset>
#include <utility>

namespace warpfork::ooo {

namespace {

constexpr std::size_t kLongestIteration = 32;  // instructions

bool goes_back(const x86::DynamicInstruction& executed) {
  return executed.instruction->branch != x86::BranchKind::None && !executed.before_gap && executed.next_pc != 0 &&
         executed.next_pc <= executed.instruction->pc;
}

bool calls(const x86::DynamicInstruction& executed) {
  const x86::BranchKind kind = executed.instruction->branch;
  return kind == x86::BranchKind::Call || kind == x86::BranchKind::IndirectCall;
}

}  // namespace

bool SpinLoopFilter::next(x86::DynamicInstruction& instruction) {
  if (ahead_.empty()) {
    if (!stream_->next(instruction)) return false;
  } else {
    std::swap(instruction, ahead_.front());
    ahead_.pop_front();
    if (instruction.instruction == nullptr) return false;
  }
  if ((top_ != 0 || goes_back(instruction)) && keep_iteration(instruction)) {
    skip_equal_iterations();
    iteration_.clear();
  }
  return true;
}

/// True at the end of an iteration in which the thread only waited.
bool SpinLoopFilter::keep_iteration(const x86::DynamicInstruction& executed) {
  const std::uint64_t pc = executed.instruction->pc;
  if (top_ != 0) {
    iteration_.push() = executed;
    const bool is_left = pc < top_ || pc > bottom_;
    if (is_left || executed.before_gap || !executed.events.empty()) top_ = 0;
    if (!is_left && (iteration_.size() > kLongestIteration || calls(executed))) {
      working_.insert(bottom_);
      top_ = 0;
    }
  }
  if (!goes_back(executed) || working_.contains(pc)) return false;
  if (top_ == executed.next_pc) {
    if (spins()) return true;
    working_.insert(pc);
    top_ = 0;
    return false;
  }
  top_ = executed.next_pc;
  bottom_ = pc;
  iteration_.clear();
  return false;
}

bool SpinLoopFilter::spins() const {
  std::bitset<x86::kRegisterCount> written, from_before;
  bool reads_memory = false;
  for (std::uint64_t number = iteration_.begin(); number < iteration_.end(); ++number) {
    const x86::DynamicInstruction& kept = iteration_[number];
    if (kept.instruction->system_call) return false;
    for (const x86::Uop& uop : kept.instruction->uops) {
      if (uop.kind == x86::UopKind::Store && !kept.instruction->atomic) return false;
      reads_memory |= uop.kind == x86::UopKind::Load;
      for (const x86::RegisterId source : uop.read())
        if (!written[source]) from_before.set(source);
      for (const x86::RegisterId destination : uop.written()) written.set(destination);
    }
  }
  return reads_memory && (written & from_before).none();
}

void SpinLoopFilter::skip_equal_iterations() {
  while (next_iteration_is_equal()) {
    ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(iteration_.size()));
    left_out_ += iteration_.size();
  }
}

bool SpinLoopFilter::next_iteration_is_equal() {
  for (std::size_t i = 0; i < iteration_.size(); ++i) {
    if (i == ahead_.size()) stream_->next(ahead_.emplace_back());
    const x86::DynamicInstruction &one = iteration_[iteration_.begin() + i], &other = ahead_[i];
    if (one.instruction != other.instruction || one.next_pc != other.next_pc || one.addresses != other.addresses ||
        other.before_gap || !other.events.empty())
      return false;
  }
  return true;
}

}  // namespace warpfork::ooo
