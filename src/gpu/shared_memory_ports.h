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
  explicit SharedMemoryPorts(unsigned banks) : banks_(banks) {}

  /// Whether the word at this address is served in this cycle; that of a stream is not taken into account.
  bool serve(std::uint64_t address, Cycle now) {
    const std::uint64_t word = word_of(address);
    Bank& bank = banks_[bank_of(word)];
    if (bank.cycle == now) return bank.word == word;
    bank = {now, word};
    return true;
  }

  /// Groups of `width` neighbouring threads that come one behind the other, group i in cycle `from` + i: those of the
  /// instruction from the one with this number on.
  struct Stream {
    unsigned lane, number;  // by which it is known
    Cycle from;
    unsigned groups, first_group, width;

    ActiveMask threads(unsigned group) const { return group_threads(first_group + group, width); }
  };
  /// Nobody asks for earlier cycles any more.
  void forget_past(Cycle now) {
    std::erase_if(streams_, [now](const Coming& coming) { return coming.until() <= now; });
  }
  /// How many of its groups find all their words, if only streams come.
  unsigned clear_groups(const Stream& stream, const InFlight& instruction) const {
    const auto any_word = [&](unsigned group, auto&& test) {
      return (instruction.executed & stream.threads(group)).any_of([&](unsigned thread) {
        return test(word_of(instruction.transaction[thread].address));
      });
    };
    const auto meets_itself = [&](unsigned group) {
      return any_word(group, [&](std::uint64_t word) {
        return any_word(group, [&](std::uint64_t other) { return collide(word, other); });
      });
    };
    unsigned clear = stream.width == 1 ? stream.groups : 0;
    while (clear < stream.groups && !meets_itself(clear)) ++clear;
    for (const Coming& other : streams_) {
      const auto meets = [&](Cycle at) {
        return any_word(static_cast<unsigned>(at - stream.from),
                        [&](std::uint64_t word) { return other.wants_another(word, at, *this); });
      };
      Cycle at = std::max(other.stream.from, stream.from);
      const Cycle end = std::min(other.until(), stream.from + clear);
      while (at < end && !meets(at)) ++at;
      if (at < end) clear = static_cast<unsigned>(at - stream.from);
    }
    return clear;
  }
  /// They will come.
  void add_stream(const Stream& stream, const InFlight& instruction) { streams_.emplace_back(stream, instruction); }
  /// But no more than so many of them will.
  void end_stream(unsigned lane, unsigned number, unsigned groups) {
    for (Coming& coming : streams_)
      if (coming.stream.lane == lane && coming.stream.number == number) coming.stream.groups = groups;
  }
  /// The lanes from whose streams threads come in this cycle for another word of this one's bank: bit l = lane l.
  std::uint64_t lanes_in_the_way(std::uint64_t address, Cycle now) const {
    const std::uint64_t word = word_of(address);
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
  struct Bank {
    Cycle cycle = kNever;
    std::uint64_t word = 0;
  };
  struct Coming {
    Stream stream;
    ActiveMask executed;
    std::array<std::uint64_t, kMaxWarpSize> words;  // by thread of the warp that executes

    Coming(const Stream& stream, const InFlight& instruction) : stream(stream), executed(instruction.executed) {
      executed.for_each([&](unsigned thread) { words[thread] = word_of(instruction.transaction[thread].address); });
    }
    Cycle until() const { return stream.from + stream.groups; }
    bool comes(Cycle now) const { return stream.from <= now && now < until(); }
    ActiveMask threads(Cycle now) const { return executed & stream.threads(static_cast<unsigned>(now - stream.from)); }
    /// Whether a thread of the group of this cycle comes to the word's bank for another one.
    bool wants_another(std::uint64_t word, Cycle now, const SharedMemoryPorts& ports) const {
      return threads(now).any_of([&](unsigned thread) { return ports.collide(words[thread], word); });
    }
  };

  static std::uint64_t word_of(std::uint64_t address) { return address / 4; }
  std::size_t bank_of(std::uint64_t word) const { return word % banks_.size(); }
  /// Different words of one bank; a few bits tell of most that they are not.
  bool collide(std::uint64_t word, std::uint64_t other) const {
    const std::uint64_t differ = word ^ other;
    return differ != 0 && (differ & ((banks_.size() & -banks_.size()) - 1)) == 0 && bank_of(word) == bank_of(other);
  }

  std::vector<Bank> banks_;
  std::vector<Coming> streams_;
};

}  // namespace warpfork::gpu
