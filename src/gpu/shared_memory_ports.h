// The banks of shared memory as the lanes of a core find them in one cycle (STSIMT section 3.5).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"
#include "gpu/group_threads.h"
#include "gpu/in_flight.h"

namespace warpfork::gpu {

/// A bank serves one 4-byte word a cycle, to whoever asks for that word.
class SharedMemoryPorts {
 public:
  explicit SharedMemoryPorts(unsigned banks) : banks_(banks), low_bits_((banks & -banks) - 1) {}

  /// Whether the word at this address is served in this cycle; that of a stream is not taken into account.
  bool serve(std::uint64_t address, Cycle now) {
    const Word word = word_of(address);
    Bank& bank = banks_[bank_of(word)];
    if (bank.cycle == now) return bank.word == word;
    bank = {now, word};
    return true;
  }

  /// Groups of `width` neighbouring threads that come one behind the other, group i in cycle `from` + i: those of the
  /// instruction from the one with this number on.
  struct Stream {
    unsigned lane;
    Cycle from;
    unsigned groups, first_group, width;

    ActiveMask threads(unsigned group) const { return group_threads(first_group + group, width); }
  };
  /// Nobody asks for earlier cycles any more.
  void forget_past(Cycle now) {
    std::erase_if(streams_, [now](const Coming& coming) { return coming.until() <= now; });
  }
  /// How many of its groups find all their words, if only streams come.
  unsigned clear_groups(const Stream& stream, const InFlight& instruction) {
    tried_.become(stream, instruction);
    if (stream.width != 1) shorten(tried_, tried_);
    for (const Coming& other : streams_) shorten(tried_, other);
    return tried_.stream.groups;
  }
  /// So many of the groups for which that was asked last will come, as the lane's stream `number`.
  void add_tried(unsigned number, unsigned groups) {
    tried_.number = number;
    tried_.stream.groups = groups;
    streams_.push_back(tried_);
  }
  /// But no more than so many of them will.
  void end_stream(unsigned lane, unsigned number, unsigned groups) {
    for (Coming& coming : streams_)
      if (coming.stream.lane == lane && coming.number == number) coming.stream.groups = groups;
  }
  /// The lanes from whose streams threads come in this cycle for another word of this one's bank: bit l = lane l.
  std::uint64_t lanes_in_the_way(std::uint64_t address, Cycle now) const {
    const Word word = word_of(address);
    std::uint64_t lanes = 0;
    for (const Coming& coming : streams_)
      if (coming.comes(now) && coming.wants_another(word, now, *this)) lanes |= std::uint64_t{1} << coming.stream.lane;
    return lanes;
  }

  void forget() {
    banks_.assign(banks_.size(), {});
    streams_.clear();
  }

 private:
  using Word = std::uint32_t;  // of at most 16 GiB
  struct Bank {
    Cycle cycle = kNever;
    Word word = 0;
  };
  struct Coming {
    Stream stream;
    unsigned number;  // by which the lane knows it
    /// Of the stream's threads, by thread of the warp. One that does not execute has that of another of its group: it
    /// is in the way of those only whom that one is.
    std::array<Word, kMaxWarpSize> words;

    void become(const Stream& of, const InFlight& instruction) {
      stream = of;
      const unsigned first = stream.first_group * stream.width;
      for (unsigned thread = first; thread < first + stream.groups * stream.width; ++thread)
        words[thread] = word_of(instruction.extra->transaction[thread].address);
      if (stream.width != 1) fill_idle(instruction.executed);
    }
    void fill_idle(ActiveMask executed) {
      for (unsigned group = 0; group < stream.groups; ++group) {
        const ActiveMask idle = stream.threads(group) - executed;
        if (idle.none()) continue;
        const Word word = words[(stream.threads(group) - idle).lowest()];
        idle.for_each([&](unsigned thread) { words[thread] = word; });
      }
    }
    Cycle until() const { return stream.from + stream.groups; }
    bool comes(Cycle now) const { return stream.from <= now && now < until(); }
    /// Whether a thread of the group of this cycle comes to the word's bank for another one.
    bool wants_another(Word word, Cycle now, const SharedMemoryPorts& ports) const {
      const Word* own = words_from(now);
      for (unsigned thread = 0; thread < stream.width; ++thread)
        if (ports.collide(own[thread], word)) return true;
      return false;
    }
    /// Whether one of either group of this cycle comes to a bank of the other's for another word.
    bool meets(const Coming& other, Cycle now, const SharedMemoryPorts& ports) const {
      const Word* own = words_from(now);
      for (unsigned thread = 0; thread < stream.width; ++thread)
        if (other.wants_another(own[thread], now, ports)) return true;
      return false;
    }
    /// Those of the group of this cycle, and of later ones.
    const Word* words_from(Cycle at) const {
      return words.data() + (stream.first_group + (at - stream.from)) * stream.width;
    }
  };

  static Word word_of(std::uint64_t address) { return static_cast<Word>(address / 4); }
  std::size_t bank_of(Word word) const { return word % banks_.size(); }
  /// Different words of one bank…
  bool collide(Word word, Word other) const { return may_collide(word, other) != 0 && bank_of(word) == bank_of(other); }
  /// …as a few bits tell of most that they are not.
  Word may_collide(Word word, Word other) const {
    const Word differ = word ^ other;
    return static_cast<unsigned>(differ != 0) & static_cast<unsigned>((differ & low_bits_) == 0);
  }
  /// No branches, so that the host's vector instructions look at several words at once.
  bool any_may_collide(const Word* words, const Word* others, std::size_t count) const {
    Word any = 0;
    for (std::size_t i = 0; i < count; ++i) any |= may_collide(words[i], others[i]);
    return any != 0;
  }
  /// To the groups before that of the first cycle in which it and the other come for different words of one bank.
  void shorten(Coming& coming, const Coming& other) const {
    Cycle at = std::max(other.stream.from, coming.stream.from);
    const Cycle end = std::min(other.until(), coming.until());
    if (at >= end) return;
    if (coming.stream.width == 1 && !any_may_collide(coming.words_from(at), other.words_from(at), end - at)) return;
    while (at < end && !coming.meets(other, at, *this)) ++at;
    if (at < end) coming.stream.groups = static_cast<unsigned>(at - coming.stream.from);
  }

  std::vector<Bank> banks_;
  Word low_bits_;  // that are the same in all words of a bank
  std::vector<Coming> streams_;
  Coming tried_{};  // of the latest clear_groups()
};

}  // namespace warpfork::gpu
