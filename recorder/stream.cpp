// SPDX-License-Identifier: GPL-2.0-or-later
#include "stream.h"

#include <sys/mman.h>

#include <cstring>

namespace recorder {

namespace {

constexpr std::size_t kFrameTokens = 1 << 16;
constexpr std::size_t kSlack = 1 << 12;  // for the accesses of a frame's last block
constexpr std::size_t kLastBytes = CodeTable::kMaxSlots * sizeof(std::uint64_t);
constexpr std::uint8_t kThreadStart = 0;  // the mark's kind
constexpr std::size_t kMarkTokens = 6;

}  // namespace

Stream::Stream(Session& session, Stream* creator)
    : limit_(session.request.limit),
      session_(session),
      id_(session.add_stream(creator ? creator->id_ : 0)),
      creator_(creator ? creator->id_ : 0),
      start_sequence_(session.next_sequence()),
      frame_(kFrameTokens + kSlack) {
  // Pages that are never touched cost nothing.
  last_ = static_cast<std::uint64_t*>(
      mmap(nullptr, kLastBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (last_ == MAP_FAILED) {
    last_ = nullptr;
    session_.fail("no memory for another thread");
  }
  cursor_ = frame_.data();
  soft_end_ = cursor_ + kFrameTokens;
  hard_end_ = cursor_ + frame_.size();
  ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_compressionLevel, 1);
  if (!creator) return;
  session.set_exit_word(creator->exit_word_of_child_, id_);
  if (creator->unresolved_ && creator->unresolved_->function->rule == ObjectRule::ThreadCreated)
    creator->found_object(id_);
}

Stream::~Stream() {
  if (last_) munmap(last_, kLastBytes);
}

void Stream::end() {
  if (takes_marks()) write_waiting_marks();
  flush();
  is_recording_ = false;
}

bool Stream::resume() {
  if (!takes_marks() || !last_) return false;
  write_waiting_marks();
  if (session_.request.has_region && regions_ == 0) return false;
  is_recording_ = true;
  if (instructions_ != 0) {
    make_room(1);
    *cursor_++ = kGapToken;
  } else {
    // Of the block that begins, watch() has seen the call at its end.
    session_.set_calls(id_, static_cast<std::uint32_t>(calls_.depth() - after_call_));
  }
  return true;
}

/// The thread has as many instructions as were asked for. It ends here, its marks as well: who waits for them waits for
/// what is not recorded.
void Stream::cut_off() {
  is_recording_ = false;
  is_cut_off_ = true;
}

void Stream::write_waiting_marks() {
  if (!start_is_written_) put_mark(kThreadStart, creator_, start_sequence_);
  start_is_written_ = true;
  for (Pending& call : pending_) {
    if (!call.is_marked || call.is_written || (call.function->is_try() && !call.has_succeeded)) continue;
    put_mark(call.function->mark(false), call.object, call.sequence);
    call.mark = static_cast<std::size_t>(cursor_ - frame_.data()) - kMarkTokens;
    call.frame = frame_number_;
    call.is_written = true;
  }
}

void Stream::put_mark(std::uint32_t mark, std::uint64_t object, std::uint64_t sequence) {
  make_room(kMarkTokens);
  *cursor_++ = kMarkToken;
  *cursor_++ = mark;
  put_64(object);
  put_64(sequence);
}

void Stream::put_long(std::uint32_t token, std::int64_t delta) {
  *cursor_++ = token | (static_cast<std::uint32_t>(kLongDelta) & kDeltaMask);
  if (delta > kLongestDelta && delta <= INT32_MAX) {
    *cursor_++ = static_cast<std::uint32_t>(delta);
    return;
  }
  *cursor_++ = static_cast<std::uint32_t>(kLongestDelta);
  put_64(static_cast<std::uint64_t>(delta));
}

void Stream::put_64(std::uint64_t value) {
  *cursor_++ = static_cast<std::uint32_t>(value);
  *cursor_++ = static_cast<std::uint32_t>(value >> 32);
}

void Stream::make_room(std::size_t tokens) {
  if (cursor_ + tokens > soft_end_) flush();
}

/// A block may access memory more often than there is slack: some instructions save the whole processor's state.
void Stream::grow() {
  const std::size_t used = static_cast<std::size_t>(cursor_ - frame_.data());
  frame_.resize(2 * frame_.size());
  cursor_ = frame_.data() + used;
  soft_end_ = frame_.data() + kFrameTokens;
  hard_end_ = frame_.data() + frame_.size();
}

void Stream::flush() {
  const std::size_t tokens = static_cast<std::size_t>(cursor_ - frame_.data());
  if (tokens == 0) return;
  const std::size_t bytes = tokens * sizeof frame_[0];
  compressed_.resize(sizeof(FrameHeader) + ZSTD_compressBound(bytes));
  const std::size_t size = ZSTD_compress2(compressor_.get(), compressed_.data() + sizeof(FrameHeader),
                                          compressed_.size() - sizeof(FrameHeader), frame_.data(), bytes);
  if (ZSTD_isError(size)) return session_.fail(ZSTD_getErrorName(size));
  const std::uint64_t instructions = instructions_ - frame_instructions_;
  const FrameHeader header{id_, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(tokens),
                           static_cast<std::uint32_t>(instructions)};
  std::memcpy(compressed_.data(), &header, sizeof header);
  compressed_.resize(sizeof header + size);
  session_.frames.append(compressed_);
  if (session_.frames.failure() != 0) session_.phase = Phase::Ended;
  session_.count(instructions);
  frame_instructions_ = instructions_;
  cursor_ = frame_.data();
  ++frame_number_;
  std::memset(last_, 0, session_.code.slots() * sizeof last_[0]);
}

}  // namespace recorder
