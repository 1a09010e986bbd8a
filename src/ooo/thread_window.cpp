#include "ooo/thread_window.h"

#include <utility>

namespace warpfork::ooo {

ThreadWindow::ThreadWindow(std::unique_ptr<x86::InstructionStream> stream) : stream_(std::move(stream)) {}

bool ThreadWindow::read_on() {
  if (ended_) return false;
  ended_ = !stream_->next(read_.push());
  if (ended_) read_.drop_from(read_.end() - 1);
  return !ended_;
}

}  // namespace warpfork::ooo
