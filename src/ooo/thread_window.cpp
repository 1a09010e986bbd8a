#include "ooo/thread_window.h"

#include <utility>

namespace warpfork::ooo {

ThreadWindow::ThreadWindow(std::unique_ptr<x86::InstructionStream> stream) : stream_(std::move(stream)) {}

bool ThreadWindow::read_on() {
  x86::DynamicInstruction next;
  ended_ = ended_ || !stream_->next(next);
  if (ended_) return false;
  Recorded& slot = read_.push();
  slot.instruction = next.instruction;
  slot.next_pc = next.next_pc;
  slot.addresses.assign(next.addresses.begin(), next.addresses.end());
  slot.events.assign(next.events.begin(), next.events.end());
  return true;
}

}  // namespace warpfork::ooo
