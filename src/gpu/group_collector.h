// The operand collector of one temporal lane: groups of threads on their way from the instruction register to the
// units.
#pragma once

#include <array>
#include <cstdint>
#include <span>

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
  unsigned room() const { return room_; }
  /// Whether all groups have their operands.
  bool all_read() const { return read_ == size_; }
  unsigned size() const { return size_; }
  ThreadGroup& oldest() { return groups_[head_]; }

  ThreadGroup& add(const ThreadGroup& group) { return (*this)[size_++] = group; }
  /// The oldest, which has read its operands, leaves.
  void pop() {
    head_ = (head_ + 1) % kMaxGroups;
    --size_;
    --read_;
  }

  /// One cycle, with what the banks neither write nor read for streams in it. `reads(group)`: the banks of its
  /// instruction's group 0, round by round.
  template <class Reads>
  void read(const RegisterBanks& banks, Cycle now, Reads&& reads) {
    if (read_ == size_) return;
    BankSet taken = banks.taken(now);
    if (read_at_once(taken, now)) return;
    for (unsigned i = read_; i < size_; ++i) read((*this)[i], taken, banks, now, reads);
    count_read();
  }

  /// What a group does in one of the cycles behind the one in which it came, as of the first of a stream.
  struct ReadStep {
    BankSet missing, read;  // before the cycle; of these, in it
    BankSet refused;        // what others than groups behind it keep it from
    std::uint8_t round;
  };
  using ReadSteps = std::array<ReadStep, kMaxGroups>;

  /// Whether the groups, of which the youngest has just come, have come a cycle apart, neighbour behind neighbour, and
  /// have read a round in each cycle since; as all do in these steps. The oldest one will enter in cycle `enters`.
  bool passes_unhindered(const RegisterBanks& banks, std::span<const ReadStep> steps, Cycle enters) {
    for (unsigned i = 0; i < size_; ++i) {
      const ThreadGroup& group = (*this)[i];
      const unsigned step = size_ - 1 - i;
      if (group.number != oldest().number + i) return false;
      if (step >= steps.size()
              ? group.enters > enters + i
              : group.enters != kNever || group.round != step || group.missing != banks.shifted(steps[step].missing, i))
        return false;
    }
    return true;
  }
  /// Whether each group will be, after cycle `next`, where the one before it is now, and the oldest one enters. Returns
  /// in how many steps they read, 0 if not.
  template <class Reads>
  unsigned passes_in_step(const RegisterBanks& banks, Cycle next, Reads&& reads, ReadSteps& steps) {
    if (read_ == size_ || oldest_unread().to_enter > read_) return 0;
    for (unsigned i = 0; i < read_; ++i)
      if ((*this)[i].enters > next + i) return 0;
    const BankSet of_others = banks.taken(next);
    BankSet taken = of_others;
    for (unsigned i = 0; i < size_; ++i) {
      const ThreadGroup& group = (*this)[i];
      if (group.number != oldest().number + i) return 0;
      if (i < read_) continue;
      const BankSet read = group.missing & ~taken;
      steps[size_ - 1 - i] = {banks.shifted_back(group.missing, i), banks.shifted_back(read, i),
                              banks.shifted_back(group.missing & of_others, i), group.round};
      ThreadGroup after = group;
      this->read(after, taken, banks, next, reads);
      if (i == read_ ? after.enters == kNever : !is_behind(after, (*this)[i - 1], banks)) return 0;
    }
    return size_ - read_;
  }
  void clear() { size_ = read_ = 0; }
  /// Some that have come had read their operands before.
  void count_read() {
    while (read_ < size_ && (*this)[read_].enters != kNever) ++read_;
  }

 private:
  ThreadGroup& operator[](unsigned index) { return groups_[(head_ + index) % kMaxGroups]; }
  ThreadGroup& oldest_unread() { return (*this)[read_]; }
  static bool is_behind(const ThreadGroup& group, const ThreadGroup& before, const RegisterBanks& banks) {
    return group.enters == kNever && group.round == before.round && group.missing == banks.shifted(before.missing, 1);
  }
  /// True if one group alone reads, and finds all its operands.
  bool read_at_once(BankSet taken, Cycle now) {
    ThreadGroup& group = oldest_unread();
    if (read_ + 1 != size_ || group.reads_again || (group.missing & taken) != 0) return false;
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
