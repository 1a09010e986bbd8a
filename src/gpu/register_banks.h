// The single-ported register banks of one temporal lane, and what they are to write in coming cycles.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"

namespace warpfork::gpu {

/// A set of a lane's register banks, bit b = bank b.
using BankSet = std::uint32_t;

/// A bank does one read or one write a cycle. The value of register r of a thread group lies in bank
/// (number of r + warp slot + group) mod banks: groups that follow each other find their operands in banks that follow
/// each other, so that a stream of groups reads and writes without a conflict unless two of its registers start in one
/// bank or two streams fall into step.
class RegisterBanks {
 public:
  /// `horizon`: writes are booked at most so many cycles ahead.
  RegisterBanks(unsigned banks, unsigned horizon)
      : count_(banks),
        all_(banks >= 32 ? ~BankSet{0} : (BankSet{1} << banks) - 1),
        writes_(std::bit_ceil(horizon + 1)),
        last_(writes_.size() - 1) {
    for (unsigned by = 0; by < shift_.size(); ++by) shift_[by] = static_cast<std::uint8_t>(by % count_);
  }

  BankSet bank(unsigned number) const { return BankSet{1} << number % count_; }
  /// The banks of a later group, `by` groups behind.
  BankSet shifted(BankSet banks, unsigned by) const {
    const std::uint64_t shifted = std::uint64_t{banks} << shift_[by];
    return static_cast<BankSet>(shifted | shifted >> count_) & all_;
  }

  /// Whether these banks can be written in that cycle, and that they will be.
  bool book_write(BankSet banks, Cycle at) {
    Booking& booking = writes_[at & last_];
    if (booking.cycle != at) booking = {at, 0};
    if ((booking.banks & banks) != 0) return false;
    booking.banks |= banks;
    last_booked_ = std::max(last_booked_, at);
    return true;
  }
  /// Groups that follow each other book a cycle each, which are free, the first one these banks.
  void book_writes(BankSet banks, Cycle from, unsigned groups) {
    for (unsigned i = 0; i < groups; ++i, banks = next(banks)) {
      Booking& booking = writes_[(from + i) & last_];
      booking = {from + i, booking.cycle == from + i ? booking.banks | banks : banks};
    }
    if (groups != 0) last_booked_ = std::max(last_booked_, from + groups - 1);
  }
  /// For how many cycles from this one on, at most `most`, nothing is booked of these banks, in each cycle those of the
  /// next group.
  unsigned free_cycles(BankSet banks, Cycle from, unsigned most) const {
    for (unsigned i = 0; i < most && from + i <= last_booked_; ++i, banks = next(banks))
      if ((written(from + i) & banks) != 0) return i;
    return most;
  }
  /// For how many cycles from this one on, at most `most`, of these banks the same ones are written, in each cycle
  /// those of the next group; where a group a cycle will write, too, the first one `own` after so many cycles.
  unsigned steady_cycles(BankSet banks, Cycle from, unsigned most, BankSet own, unsigned own_after) const {
    BankSet same = written(from) & banks;
    for (unsigned i = 1; i < most; ++i) {
      BankSet now = written(from + i);
      if (i >= own_after) {
        now |= own;
        own = next(own);
      }
      banks = next(banks);
      same = next(same);
      if ((now & banks) != same) return i;
      if (i >= own_after && from + i > last_booked_) break;
    }
    return most;
  }
  BankSet written(Cycle now) const {
    const Booking& booking = writes_[now & last_];
    return booking.cycle == now ? booking.banks : 0;
  }
  void forget() {
    writes_.assign(writes_.size(), {});
    last_booked_ = 0;
  }

 private:
  struct Booking {
    Cycle cycle = kNever;
    BankSet banks = 0;
  };

  BankSet next(BankSet banks) const { return (banks << 1 | banks >> (count_ - 1)) & all_; }

  unsigned count_;
  BankSet all_;
  std::array<std::uint8_t, kMaxWarpSize> shift_{};  // by groups: that, modulo banks
  std::vector<Booking> writes_;                     // by cycle modulo its size
  Cycle last_;                                      // index
  Cycle last_booked_ = 0;
};

}  // namespace warpfork::gpu
