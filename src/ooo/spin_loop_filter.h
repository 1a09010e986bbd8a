// A recorded thread without the iterations of spin loops, in which it only waited for another thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_set>
#include <vector>

#include "ooo/numbered_queue.h"
#include "x86/instruction_stream.h"

namespace warpfork::ooo {

/// An iteration of a loop spins if it reads memory, writes nothing but by atomic instructions, and reads no register
/// that it has changed in the iteration before: it begins as that one began, so that it can end differently only by
/// what another thread has written. How often a thread spins depends on the machine that recorded it; of equal
/// iterations that follow each other two are handed out, and the one that ends the loop.
///
/// Loops of up to 32 instructions without calls and synchronisation events are looked at. One that counts its
/// iterations or stores to its stack (as code compiled without optimisation does) is work like any other.
class SpinLoopFilter final : public x86::InstructionStream {
 public:
  explicit SpinLoopFilter(std::unique_ptr<x86::InstructionStream> stream) : stream_(std::move(stream)) {}

  bool next(x86::DynamicInstruction& instruction) override;
  std::size_t pass_over() override { return top_ == 0 && ahead_.empty() ? stream_->pass_over() : 0; }
  /// Instructions so far that were not handed out.
  std::uint64_t left_out() const { return left_out_; }

 private:
  bool keep_iteration(const x86::DynamicInstruction& executed);
  bool spins() const;
  void skip_equal_iterations();
  bool next_iteration_is_equal();

  std::unique_ptr<x86::InstructionStream> stream_;
  std::deque<x86::DynamicInstruction> ahead_;         // read, and not handed out yet
  NumberedQueue<x86::DynamicInstruction> iteration_;  // of the loop that begins at `top_`, as far as it has come
  std::uint64_t top_ = 0, bottom_ = 0;         // the loop's first instruction, 0: none, and the branch back to it
  std::unordered_set<std::uint64_t> working_;  // branches at the bottom of loops that do something
  std::uint64_t left_out_ = 0;
};

}  // namespace warpfork::ooo
