// SPDX-License-Identifier: GPL-2.0-or-later
// What one guest thread does, as tokens of 32 bits in compressed frames.
//
// docs/recording.md describes the tokens.
#pragma once

#include <zstd.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "call_stack.h"
#include "code_table.h"
#include "session.h"

namespace recorder {

inline constexpr std::uint32_t kMarkToken = 0x7ffffff0, kGapToken = 0x7ffffff1;
inline constexpr std::uint32_t kAccessBit = 0x80000000;
inline constexpr unsigned kInstructionShift = 22, kStoreShift = 21, kSizeShift = 18;
inline constexpr std::int64_t kLongDelta = -(1 << 17), kLongestDelta = INT32_MIN;
inline constexpr std::uint32_t kDeltaMask = (1u << 18) - 1;

/// What an access callback is told: the instruction's slot, its number in the block, and two of its traits.
struct AccessSite {
  static constexpr std::uint32_t kAtomic = 1, kGlobal = 2;
  std::uint32_t slot = 0;
  std::uint32_t token = 0;  ///< access token without store, size and delta, but with kAtomic and kGlobal

  static AccessSite of(void* data) {
    const auto bits = reinterpret_cast<std::uintptr_t>(data);
    return {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)};
  }
  void* data() const { return reinterpret_cast<void*>(std::uintptr_t{slot} << 32 | token); }
};

class Stream {
 public:
  /// `creator` is nullptr for the first thread.
  Stream(Session& session, Stream* creator);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  std::uint32_t id() const { return id_; }

  /// A block begins to run.
  void block(const Block& block) {
    if (block.is_special || after_call_ || after_return_) [[unlikely]]
      watch(block);
    if (!is_recording_ && !resume()) return;
    if (cursor_ >= soft_end_) [[unlikely]]
      flush();
    const bool repeats = block.is_iteration && block.end_pc == end_pc_;  // the instruction that has been counted
    if (instructions_ >= limit_ && !repeats) [[unlikely]]
      return cut_off();
    *cursor_++ = block.id;
    instructions_ += repeats ? 0 : block.count;
    end_pc_ = block.end_pc;
  }

  /// An instruction of the block accesses memory; `size` is the logarithm of its bytes.
  void access(AccessSite site, bool store, unsigned size, std::uint64_t address) {
    last_address_ = address;
    if (unresolved_) [[unlikely]]
      look_for_object(site, store, address);
    if (!is_recording_) return;
    const std::int64_t delta = static_cast<std::int64_t>(address - last_[site.slot]);
    last_[site.slot] = address;
    const std::uint32_t token = (site.token & ~kDeltaMask) | std::uint32_t{store} << kStoreShift | size << kSizeShift;
    if (cursor_ + 4 > hard_end_) [[unlikely]]
      grow();
    if (delta > kLongDelta && delta < -kLongDelta) [[likely]]
      *cursor_++ = token | (static_cast<std::uint32_t>(delta) & kDeltaMask);
    else
      put_long(token, delta);
  }

  /// The thread makes a new one, whose exit the kernel will tell at `exit_word`.
  void creates(std::uint64_t exit_word) { exit_word_of_child_ = exit_word; }
  /// The last tokens go into the file.
  void end();

 private:
  /// A watched function that has been entered and not left.
  struct Pending {
    const WatchedFunction* function = nullptr;
    std::size_t depth = 0;  // of calls, its own included
    std::uint64_t sequence = 0, object = 0;
    std::size_t mark = 0;       // place of its mark in `frame_`, if that is still there
    std::uint64_t frame = 0;    // number of the frame with its mark
    bool is_marked = false;     // it has marks, beginning with an enter
    bool is_written = false;    // the enter is in the stream
    bool is_resolved = false;   // the object is known
    bool has_succeeded = true;  // false: a call that may fail has not got the lock, or the thread, yet
  };

  void watch(const Block& block);
  void enter(const WatchedFunction& function);
  void leave_above(std::size_t depth);
  void leave(const Pending& call);
  void look_for_object(AccessSite site, bool store, std::uint64_t address);
  void found_object(std::uint64_t object);
  void find_unresolved();

  bool takes_marks() const { return session_.phase == Phase::Running && !is_cut_off_; }
  bool resume();
  void cut_off();
  void write_waiting_marks();
  void put_mark(std::uint32_t mark, std::uint64_t object, std::uint64_t sequence);
  void put_long(std::uint32_t token, std::int64_t delta);
  void put_64(std::uint64_t value);
  void grow();
  void flush();
  void make_room(std::size_t tokens);

  // Of every block and access.
  std::uint32_t* cursor_ = nullptr;
  std::uint32_t* soft_end_ = nullptr;  // a frame ends with the block that passes it
  std::uint32_t* hard_end_ = nullptr;
  std::uint64_t* last_ = nullptr;  // address of each slot's last access in this frame
  std::uint64_t last_address_ = 0;
  std::uint64_t end_pc_ = 0;  // of the block before
  std::uint64_t instructions_ = 0, limit_;
  Pending* unresolved_ = nullptr;
  bool is_recording_ = false, is_cut_off_ = false, after_call_ = false, after_return_ = false;

  Session& session_;
  std::uint32_t id_, creator_;
  std::uint64_t start_sequence_;
  bool start_is_written_ = false;
  CallStack calls_;
  std::vector<Pending> pending_;
  unsigned opaque_ = 0, regions_ = 0;  // of pending_
  std::uint64_t exit_word_of_child_ = 0;
  std::vector<std::uint32_t> frame_;
  std::vector<std::uint8_t> compressed_;
  std::uint64_t frame_number_ = 0, frame_instructions_ = 0;  // the latter: instructions_ at the frame's begin
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> compressor_{ZSTD_createCCtx(), ZSTD_freeCCtx};
};

}  // namespace recorder
