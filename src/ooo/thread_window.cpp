#include "ooo/thread_window.h"

#include <utility>

namespace warpfork::ooo {

ThreadWindow::ThreadWindow(std::unique_ptr<x86::InstructionStream> stream) : stream_(std::move(stream)) {}

bool ThreadWindow::read_on() {
  x86::DynamicInstruction next;
  ended_ = ended_ || !stream_->next(next);
  if (ended_) return false;
  read_.push().keep(next);
  return true;
}

}  // namespace warpfork::ooo
