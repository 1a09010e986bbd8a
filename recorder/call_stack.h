// SPDX-License-Identifier: GPL-2.0-or-later
// Where the calls of a guest's thread will return to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace recorder {

class CallStack {
 public:
  std::size_t depth() const { return calls_.size(); }
  void call(std::uint64_t return_pc) { calls_.push_back({return_pc, 0}); }
  /// The address at which the last call put its return address.
  void set_stack_pointer(std::uint64_t address) {
    if (!calls_.empty()) calls_.back().stack_pointer = address;
  }
  std::uint64_t stack_pointer() const { return calls_.empty() ? 0 : calls_.back().stack_pointer; }

  /// A return instruction led to `pc`. Calls above the one that returns there have been left without a return
  /// (longjmp, exceptions); where none returns there, it was no return from a call (a signal handler's end).
  void returned(std::uint64_t pc) {
    for (std::size_t depth = calls_.size(); depth-- > 0;)
      if (calls_[depth].return_pc == pc) {
        calls_.resize(depth);
        return;
      }
  }

 private:
  struct Call {
    std::uint64_t return_pc, stack_pointer;
  };
  std::vector<Call> calls_;
};

}  // namespace recorder
