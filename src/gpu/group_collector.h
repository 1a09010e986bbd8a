// The operand collector of one temporal lane: groups of threads on their way from the instruction register to the
// units.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "gpu/register_banks.h"

namespace warpfork::gpu {

/// Threads of a warp instruction that go side by side.
struct ThreadGroup {
  std::uint32_t flight = 0;  // counted from the lane's first
  std::uint8_t number = 0, ordinal = 0, round = 0;
  std::uint8_t to_enter = 0;  // cycles from the last read
  bool last = false;
  bool reads_again = false;  // there is a second round of reads
  bool shares = false;       // it needs what the lanes share
  bool is_memory = false;
  BankSet missing = 0, writes = 0;
  std::uint32_t interval = 1, to_result = 0;  // for which it keeps the units; from its entry to its result
  Cycle enters = kNever;                      // at the earliest, once its last operand has been read
  std::uint64_t threads = 0;                  // still to be served by what the lanes share
};

/// Groups come and go in order; each reads what the banks can serve.
class GroupCollector {
 public:
  static constexpr unsigned kMaxGroups = 8;

  explicit GroupCollector(unsigned room) : room_(room) {}

  bool empty() const { return size_ == 0; }
  bool has_room() const { return size_ != room_; }
  unsigned size() const { return size_; }
  ThreadGroup& oldest() { return groups_[head_]; }

  ThreadGroup& add(const ThreadGroup& group) { return (*this)[size_++] = group; }
  /// The oldest, which has read its operands, leaves.
  void pop() {
    head_ = (head_ + 1) % kMaxGroups;
    --size_;
    --read_;
  }

  /// One cycle, with what the banks do not write in it. `reads(group)`: the banks of its instruction's group 0, round
  /// by round.
  template <class Reads>
  void read(const RegisterBanks& banks, Cycle now, Reads&& reads) {
    if (read_ == size_ || read_at_once(banks, now)) return;
    BankSet taken = banks.written(now);
    for (unsigned i = read_; i < size_; ++i) read((*this)[i], taken, banks, now, reads);
    while (read_ < size_ && (*this)[read_].enters != kNever) ++read_;
  }

  /// Whether from this cycle on, in every cycle each group comes to where the one before it was: as long as the units
  /// are free, another group follows, and of missing() the banks write the same ones in each cycle.
  template <class Reads>
  bool in_step(const RegisterBanks& banks, Cycle now, Reads&& reads) {
    if (read_ == size_ || oldest_unread().to_enter > read_) return false;
    for (unsigned i = 0; i < read_; ++i)
      if ((*this)[i].enters > now + i) return false;
    BankSet taken = banks.written(now);
    for (unsigned i = read_; i < size_; ++i) {
      ThreadGroup after = (*this)[i];
      read(after, taken, banks, now, reads);
      if (i == read_ ? after.enters == kNever : !is_behind(after, (*this)[i - 1], banks)) return false;
    }
    return true;
  }
  /// Banks that groups have still to read from.
  BankSet missing() {
    BankSet missing = 0;
    for (unsigned i = read_; i < size_; ++i) missing |= (*this)[i].missing;
    return missing;
  }
  /// So many cycles have passed like that: in the place of each group is the one as many behind.
  void advance(unsigned cycles, const RegisterBanks& banks) {
    for (unsigned i = 0; i < size_; ++i) {
      ThreadGroup& group = (*this)[i];
      group.number = static_cast<std::uint8_t>(group.number + cycles);
      group.ordinal = static_cast<std::uint8_t>(group.ordinal + cycles);
      group.missing = banks.shifted(group.missing, cycles);
      group.writes = banks.shifted(group.writes, cycles);
      if (i < read_) group.enters += cycles;
    }
  }

 private:
  ThreadGroup& operator[](unsigned index) { return groups_[(head_ + index) % kMaxGroups]; }
  ThreadGroup& oldest_unread() { return (*this)[read_]; }
  static bool is_behind(const ThreadGroup& group, const ThreadGroup& before, const RegisterBanks& banks) {
    return group.enters == kNever && group.round == before.round && group.missing == banks.shifted(before.missing, 1);
  }
  /// True if one group alone reads, and finds all its operands.
  bool read_at_once(const RegisterBanks& banks, Cycle now) {
    ThreadGroup& group = oldest_unread();
    if (read_ + 1 != size_ || group.reads_again || (group.missing & banks.written(now)) != 0) return false;
    group.enters = now + group.to_enter;
    ++read_;
    return true;
  }
  template <class Reads>
  void read(ThreadGroup& group, BankSet& taken, const RegisterBanks& banks, Cycle now, Reads&& reads) {
    if (group.enters != kNever) return;
    const BankSet served = group.missing & ~taken;
    taken |= served;
    group.missing &= ~served;
    if (group.missing != 0) return;
    const auto& rounds = reads(group);
    const BankSet again = ++group.round < rounds.size() ? rounds[group.round] : 0;
    if (again == 0)
      group.enters = now + group.to_enter;
    else
      group.missing = banks.shifted(again, group.number);
  }

  unsigned room_;
  std::array<ThreadGroup, kMaxGroups> groups_;
  unsigned head_ = 0, size_ = 0, read_ = 0;  // of these so many of the first have been read
};

}  // namespace warpfork::gpu
