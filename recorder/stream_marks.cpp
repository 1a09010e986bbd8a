// SPDX-License-Identifier: GPL-2.0-or-later
// The part of a stream that follows calls of watched functions.
#include <algorithm>

#include "stream.h"

namespace recorder {

namespace {

constexpr std::size_t kObjectDistance = 2048;    // tokens; a call's object is known long before
constexpr std::uint64_t kDeepestCall = 1 << 16;  // bytes of stack below a call that are its own
// Of pthread_mutex_t: a recursive one that its owner takes again is only counted.
constexpr std::uint64_t kCountOffset = 4, kOwnerOffset = 8;

}  // namespace

void Stream::watch(const Block& block) {
  if (after_call_) calls_.set_stack_pointer(last_address_);
  if (after_return_) {
    calls_.returned(block.pc);
    leave_above(calls_.depth());
  }
  if (block.function) enter(*block.function);
  after_call_ = block.end == BlockEnd::Call;
  after_return_ = block.end == BlockEnd::Return;
  if (after_call_) calls_.call(block.end_pc);
}

void Stream::enter(const WatchedFunction& function) {
  const bool is_loop =
      !pending_.empty() && pending_.back().function == &function && pending_.back().depth == calls_.depth();
  if (is_loop) return;
  if (function.is_start) {
    Phase waiting = Phase::Waiting;
    session_.phase.compare_exchange_strong(waiting, Phase::Running);
  }
  Pending call;
  call.function = &function;
  call.depth = calls_.depth();
  call.is_marked = function.is_marked && opaque_ == 0;
  call.has_succeeded = !function.may_fail();
  call.is_resolved = function.rule == ObjectRule::None;
  if (call.is_marked) call.sequence = session_.next_sequence();
  pending_.push_back(call);
  opaque_ += function.is_opaque;
  regions_ += function.is_region;
  find_unresolved();
  if (!takes_marks()) return;
  // Only for a call with marks: one within it must not part it from its mark.
  if (is_recording_ && call.is_marked && cursor_ + kObjectDistance > soft_end_) flush();
  write_waiting_marks();
}

void Stream::leave_above(std::size_t depth) {
  while (!pending_.empty() && pending_.back().depth > depth) {
    const Pending call = pending_.back();
    pending_.pop_back();
    opaque_ -= call.function->is_opaque;
    regions_ -= call.function->is_region;
    if (call.is_marked && takes_marks()) leave(call);
    if (session_.request.has_region && regions_ == 0) is_recording_ = false;
    find_unresolved();
  }
}

void Stream::leave(const Pending& call) {
  if (!call.has_succeeded) return;
  write_waiting_marks();
  if (!call.is_written) put_mark(call.function->mark(false), call.object, call.sequence);
  put_mark(call.function->mark(true), call.object, session_.next_sequence());
}

/// The innermost call with marks, if its object is not known yet.
void Stream::find_unresolved() {
  unresolved_ = nullptr;
  const auto call =
      std::find_if(pending_.rbegin(), pending_.rend(), [](const Pending& each) { return each.is_marked; });
  if (call != pending_.rend() && (!call->is_resolved || !call->has_succeeded)) unresolved_ = &*call;
}

void Stream::look_for_object(AccessSite site, bool store, std::uint64_t address) {
  const Pending& call = *unresolved_;
  const bool is_atomic = site.token & AccessSite::kAtomic;
  const std::uint64_t stack = calls_.stack_pointer();
  const bool is_own = site.token & AccessSite::kGlobal || (address < stack + 8 && address + kDeepestCall > stack);
  switch (call.function->rule) {
    case ObjectRule::Atomic:
      if (is_atomic) found_object(address - call.function->offset);
      break;
    case ObjectRule::Plain:
      if (!is_own) found_object(address - call.function->offset);
      break;
    case ObjectRule::PlainLock:
    case ObjectRule::PlainTry:
      if (call.is_resolved && store && !is_atomic &&
          (address == call.object + kCountOffset || address == call.object + kOwnerOffset)) {
        unresolved_->has_succeeded = true;
        find_unresolved();
      } else if (!call.is_resolved && !is_own) {
        found_object(address - call.function->offset);
      }
      break;
    case ObjectRule::ThreadJoined:
      if (const std::uint32_t joined = session_.stream_of_exit_word(address)) found_object(joined);
      break;
    case ObjectRule::ThreadJoinTry:
      if (const std::uint32_t joined = store ? session_.stream_of_exit_word(address) : 0) {
        unresolved_->has_succeeded = true;
        found_object(joined);
      }
      break;
    case ObjectRule::ThreadCreated:
    case ObjectRule::None:
      break;
  }
}

/// The enter mark is in the stream already; it gets its object there.
void Stream::found_object(std::uint64_t object) {
  Pending& call = *unresolved_;
  call.object = object;
  call.is_resolved = true;
  if (call.is_written && call.frame == frame_number_) {
    frame_[call.mark + 2] = static_cast<std::uint32_t>(object);
    frame_[call.mark + 3] = static_cast<std::uint32_t>(object >> 32);
  }
  find_unresolved();
}

}  // namespace recorder
