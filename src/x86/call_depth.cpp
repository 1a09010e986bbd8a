#include "x86/call_depth.h"

#include <algorithm>

namespace warpfork::x86 {

namespace {

// Frames that end lie on the stack pointer's own stack: below a frame that goes on, or, where no such frame is known,
// no farther away than this. What is farther away is another stack.
constexpr std::uint64_t kOneStack = 1 << 20;  // bytes

}  // namespace

void CallDepth::call(std::uint64_t address) {
  if (address != 0) {
    stack_pointer(address + 1);
    frames_.push_back({address, now_});
  }
  ++now_;
}

void CallDepth::return_from(std::uint64_t address) {
  if (address == 0) {
    --now_;
    return;
  }
  if (!frames_.empty() && frames_.back().address == address) {
    now_ = frames_.back().caller;
    frames_.pop_back();
    return;
  }
  const auto same = [address](const Frame& frame) { return frame.address == address; };
  if (const auto frame = std::find_if(frames_.rbegin(), frames_.rend(), same); frame != frames_.rend()) {
    now_ = frame->caller;
    set_aside(static_cast<std::size_t>(frames_.rend() - frame));
    frames_.pop_back();
  } else if (const auto other = aside_.find(address); other != aside_.end()) {
    now_ = other->second;
    aside_.erase(other);
  } else if (has_callers_ && (frames_.empty() || is_above_frames(address))) {
    if (!frames_.empty()) now_ = frames_.front().caller;
    set_aside(0);
    --now_;
  } else {
    stack_pointer(address + 8);
  }
}

/// It is the innermost function's own: of callers that went on without a return there may be any number.
void CallDepth::frame_pointer(std::uint64_t value) {
  const std::uint64_t return_address = value + 8;
  for (std::size_t frame = frames_.size(); frame-- > 0 && frames_[frame].address <= return_address;)
    if (frames_[frame].address == return_address) return stack_pointer(return_address);
}

void CallDepth::forget() {
  frames_.clear();
  aside_.clear();
  now_ = kFirst;
  has_callers_ = true;
}

/// On the same stack, but outside of all frames that are known.
bool CallDepth::is_above_frames(std::uint64_t address) const {
  return std::ranges::all_of(frames_, [address](const Frame& frame) { return frame.address < address; }) &&
         address - frames_.back().address < kOneStack;
}

void CallDepth::end_below(std::uint64_t stack_pointer) {
  const bool goes_on = frames_.front().address >= stack_pointer;
  std::size_t left = frames_.size();
  while (left > 0 && frames_[left - 1].address < stack_pointer &&
         (goes_on || stack_pointer - frames_[left - 1].address < kOneStack))
    --left;
  if (left == frames_.size()) return;
  now_ = frames_[left].caller;
  set_aside(left);
}

void CallDepth::set_aside(std::size_t from) {
  for (std::size_t frame = from; frame < frames_.size(); ++frame)
    aside_.insert_or_assign(frames_[frame].address, frames_[frame].caller);
  frames_.resize(from);
}

}  // namespace warpfork::x86
