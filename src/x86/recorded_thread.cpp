#include "x86/recorded_thread.h"

#include <algorithm>
#include <utility>

#include "x86/access_pieces.h"

namespace warpfork::x86 {

namespace {

/// Whether control can go from the instruction to `pc` by itself, without a signal or an interruption.
bool leads_to(const StaticInstruction& instruction, std::uint64_t pc) {
  if (instruction.system_call) return true;  // also out of a signal handler
  switch (instruction.branch) {
    case BranchKind::None:
      return pc == instruction.fall_through() || (instruction.repeats && pc == instruction.pc);
    case BranchKind::Conditional:
      return pc == instruction.fall_through() || pc == instruction.target;
    case BranchKind::Jump:
    case BranchKind::Call:
      return pc == instruction.target;
    case BranchKind::IndirectJump:
    case BranchKind::IndirectCall:
    case BranchKind::Return:
      return true;
  }
  return true;
}

/// That the thread is in where its recording begins. Those of a region are counted from its functions on, so that
/// threads meet in them whoever has called them.
std::optional<std::uint32_t> known_calls(const RecordingDirectory& directory, std::uint32_t thread) {
  if (!directory.facts.region.empty()) return std::nullopt;
  return directory.facts.start.empty() ? 0 : directory.threads[thread].calls;
}

}  // namespace

RecordedThread::RecordedThread(const RecordingFile& file, const RecordedCode& code, std::uint32_t thread)
    : code_(code), reader_(file, code, thread), calls_(known_calls(file.directory(), thread)) {
  has_following_ = reader_.read(following_);
}

bool RecordedThread::next(DynamicInstruction& instruction) {
  if (number_ == instructions_.size() && !advance()) {
    instruction.instruction = nullptr;
    instruction.next_pc = 0;
    instruction.before_gap = false;
    instruction.depth = instruction.next_depth = calls_.now();
    instruction.addresses.clear();
    instruction.events = events_;
    return false;
  }
  const StaticInstruction& executed = *instructions_[number_];
  instruction.instruction = &executed;
  instruction.events.clear();
  if (number_ == 0 && !events_.empty()) instruction.events = events_;
  instruction.addresses.clear();
  if (!executed.accesses.empty()) take_pieces(executed, number_, instruction.addresses);
  ++number_;
  const bool is_last = number_ == instructions_.size();
  if (is_last && executed.repeats) take_repetitions(executed, instruction.addresses);
  instruction.before_gap = is_last && has_following_ && following_.after_gap;
  instruction.next_pc = !is_last ? executed.fall_through() : has_following_ ? following_.block->pc : 0;
  instruction.depth = calls_.now();
  if (instruction.before_gap)
    calls_.forget();
  else
    follow_calls(executed, instruction.addresses);
  instruction.next_depth = calls_.now();
  return true;
}

void RecordedThread::follow_calls(const StaticInstruction& executed, const std::vector<std::uint64_t>& addresses) {
  switch (executed.branch) {
    case BranchKind::Call:
    case BranchKind::IndirectCall:
      jumped_ = false;
      return calls_.call(addresses.back());
    case BranchKind::Return:
      jumped_ = false;
      return calls_.return_from(addresses.front());
    case BranchKind::IndirectJump:
      jumped_ = true;
      return;
    default:
      break;
  }
  if (executed.stack.of == StackAccess::Register::None) return;
  const std::uint64_t address = addresses[executed.stack.access];
  if (address == 0) return;  // masked
  const std::uint64_t value = address - static_cast<std::uint64_t>(std::int64_t{executed.stack.offset});
  if (executed.stack.of == StackAccess::Register::StackPointer)
    calls_.stack_pointer(value);
  else if (jumped_)
    calls_.frame_pointer(value);
  else
    return;
  jumped_ = false;
}

/// All of a block but its first, which may have events, and its last. Their accesses are passed over by the next.
std::size_t RecordedThread::pass_over() {
  if (number_ == 0 || number_ + 1 >= instructions_.size()) return 0;
  const std::size_t passed = instructions_.size() - 1 - number_;
  number_ += static_cast<std::uint32_t>(passed);
  return passed;
}

/// Makes the following block the current one. At the thread's end events_ are what is left.
bool RecordedThread::advance() {
  events_.clear();
  do {
    events_.insert(events_.end(), following_.events.begin(), following_.events.end());
    following_.events.clear();
    if (!has_following_) return false;
    std::swap(current_, following_);
    has_following_ = reader_.read(following_);
    instructions_ = code_.instructions(*current_.block).first(executed_count());
  } while (instructions_.empty());
  number_ = 0;
  piece_ = 0;
  return true;
}

/// An instruction that faults, or an atomic one that the emulator must do alone, ends its block early; the latter
/// begins the next one.
std::uint32_t RecordedThread::executed_count() const {
  const auto listed = code_.instructions(*current_.block);
  const auto all = static_cast<std::uint32_t>(listed.size());
  if (!has_following_ || following_.after_gap || leads_to(*listed.back(), following_.block->pc)) return all;
  const auto again = std::find_if(listed.begin(), listed.end(), [&](const StaticInstruction* instruction) {
    return instruction->pc == following_.block->pc;
  });
  return static_cast<std::uint32_t>(again - listed.begin());
}

void RecordedThread::take_pieces(const StaticInstruction& instruction, std::uint32_t number,
                                 std::vector<std::uint64_t>& addresses) {
  const std::vector<RecordedAccess>& all = current_.accesses;
  while (piece_ < all.size() && all[piece_].instruction < number) ++piece_;
  const std::size_t first = piece_;
  while (piece_ < all.size() && all[piece_].instruction == number) ++piece_;
  if (instruction.accesses.size() == 1 && piece_ == first + 1 && is_whole(instruction.accesses[0], all[first]))
    return addresses.push_back(all[first].address);  // most are such
  append_addresses(instruction, std::span(all).subspan(first, piece_ - first), addresses);
}

bool RecordedThread::is_repeated(const StaticInstruction& instruction) const {
  return has_following_ && !following_.after_gap && following_.events.empty() &&
         following_.block->pc == instruction.pc && following_.block->count == 1;
}

void RecordedThread::take_repetitions(const StaticInstruction& instruction, std::vector<std::uint64_t>& addresses) {
  for (unsigned iterations = 1; iterations < kMaxIterations && is_repeated(instruction); ++iterations) {
    append_addresses(instruction, following_.accesses, addresses);
    has_following_ = reader_.read(following_);
  }
}

}  // namespace warpfork::x86
