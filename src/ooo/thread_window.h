// The stretch of a recorded thread between its oldest instruction in flight and its youngest.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ooo/numbered_queue.h"
#include "x86/instruction_stream.h"

namespace warpfork::ooo {

/// Instructions are numbered from 0. A core fetches ahead, goes back after a misprediction, and forgets what it has
/// committed, so that memory does not grow with the recording.
class ThreadWindow {
 public:
  using Recorded = x86::DynamicInstruction;

  explicit ThreadWindow(std::unique_ptr<x86::InstructionStream> stream);

  /// The instruction of this number, which must not be retired; nullptr behind the thread's last. Valid until the next
  /// call for a later one.
  const Recorded* at(std::uint64_t number) {
    while (number >= read_.end())
      if (!read_on()) return nullptr;
    return &read_[number];
  }
  /// Instructions before this number are done with.
  void retire(std::uint64_t number) { read_.drop_before(number); }

 private:
  bool read_on();

  std::unique_ptr<x86::InstructionStream> stream_;
  NumberedQueue<Recorded> read_;
  bool ended_ = false;
};

}  // namespace warpfork::ooo
