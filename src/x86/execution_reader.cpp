#include "x86/execution_reader.h"

#include "base/error.h"

namespace warpfork::x86 {

namespace {

// An access token: its bit, 9 bits instruction, store, 3 bits size, 18 bits delta.
constexpr unsigned kInstructionShift = 22, kStoreShift = 21, kSizeShift = 18;
constexpr std::uint32_t kInstructionMask = 511, kSizeMask = 7, kDeltaMask = (1u << 18) - 1;
constexpr std::uint32_t kLongDelta = 1u << 17;        // the smallest: one token with the delta follows
constexpr std::uint32_t kLongestDelta = 0x80000000u;  // likewise: two tokens follow

/// The number whose lowest 18 bits are those.
std::int64_t short_delta(std::uint32_t token) { return static_cast<std::int32_t>(token << 14) >> 14; }

}  // namespace

ExecutionReader::ExecutionReader(const RecordingFile& file, const RecordedCode& code, std::uint32_t thread)
    : frames_(file, thread), code_(code), last_(code.slots()) {}

void ExecutionReader::fail(const char* reason) const {
  throw Error("{}: token {}: {}\n  record the program again", frames_.place(), at_, reason);
}

bool ExecutionReader::fill() {
  while (at_ == tokens_.size()) {
    at_ = 0;
    tokens_.clear();
    if (!frames_.next(tokens_)) return false;
    last_.forget();
  }
  return true;
}

std::uint32_t ExecutionReader::take() {
  if (at_ == tokens_.size()) fail("the frame ends too early");
  return tokens_[at_++];
}

std::uint64_t ExecutionReader::take_64() {
  const std::uint64_t low = take();
  return low | std::uint64_t{take()} << 32;
}

bool ExecutionReader::read(ExecutedBlock& next) {
  next.block = nullptr;
  next.after_gap = false;
  next.events.clear();
  next.accesses.clear();
  while (fill()) {
    const std::uint32_t token = tokens_[at_++];
    if (token == kMarkToken) {
      read_mark(next);
    } else if (token == kGapToken) {
      next.after_gap = true;
    } else if (token >= code_.blocks()) {
      fail("there is no such block");
    } else {
      next.block = &code_.block(token);
      break;
    }
  }
  // A frame begins with a block or a mark, so that a block's accesses are all in its own.
  while (next.block && at_ < tokens_.size() && (tokens_[at_] & kAccessBit)) read_access(next, tokens_[at_++]);
  return next.block != nullptr;
}

void ExecutionReader::read_mark(ExecutedBlock& next) {
  const std::uint32_t kind = take();
  if ((kind & 0xff) > static_cast<std::uint32_t>(SyncKind::RegionBody)) fail("there is no such mark");
  SyncEvent event;
  event.kind = static_cast<SyncKind>(kind & 0xff);
  event.leaves = kind >> 8 & 1;
  event.tries = kind >> 9 & 1;
  event.object = take_64();
  event.sequence = take_64();
  next.events.push_back(event);
}

void ExecutionReader::read_access(ExecutedBlock& next, std::uint32_t token) {
  RecordedAccess access;
  access.instruction = static_cast<std::uint16_t>(token >> kInstructionShift & kInstructionMask);
  access.store = token >> kStoreShift & 1;
  access.bytes = static_cast<std::uint8_t>(1u << (token >> kSizeShift & kSizeMask));
  if (access.instruction >= next.block->listed) fail("an access of an instruction that the block does not have");
  std::int64_t delta = short_delta(token);
  if ((token & kDeltaMask) == kLongDelta) {
    const std::uint32_t longer = take();
    delta = longer == kLongestDelta ? static_cast<std::int64_t>(take_64()) : static_cast<std::int32_t>(longer);
  }
  std::uint64_t& last = last_.of(next.block->first_slot + access.instruction);
  last += static_cast<std::uint64_t>(delta);
  access.address = last;
  next.accesses.push_back(access);
}

}  // namespace warpfork::x86
