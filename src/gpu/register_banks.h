// The single-ported register banks of one temporal lane, and what they are to write in coming cycles.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/active_mask.h"
#include "base/types.h"
#include "gpu/bank_count.h"

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

  BankSet bank(unsigned number) const { return BankSet{1} << count_.turn(number); }
  /// The banks of a later group, `by` groups behind.
  BankSet shifted(BankSet banks, unsigned by) const {
    const std::uint64_t shifted = std::uint64_t{banks} << shift_[by];
    return static_cast<BankSet>(shifted | shifted >> count_) & all_;
  }

  /// And those of one before.
  BankSet shifted_back(BankSet banks, unsigned by) const { return shifted(banks, count_ - shift_[by]); }

  /// Whether these banks can be written in that cycle, and that they will be.
  bool book_write(BankSet banks, Cycle at) {
    Booking& booking = writes_[at & last_];
    if (booking.cycle != at) booking = {at, 0};
    if (((booking.banks | in_streams(at, Use::Write)) & banks) != 0) return false;
    booking.banks |= banks;
    last_booked_ = std::max(last_booked_, at);
    ever_booked_ |= turned_back(banks, at);
    return true;
  }
  /// Banks of which streams will read in that cycle.
  BankSet read_by_streams(Cycle at) const { return in_streams(at, Use::Read); }
  /// Banks from which nobody else can read in that cycle: that are written, or of which streams read.
  BankSet taken(Cycle at) const { return booked(at) | in_streams(at, Use::Write | Use::Read); }

  enum Use : std::uint8_t { Read = 1, Write = 2, Refused = 4 };  // the last: it is held up as it finds them taken
  /// What groups do that follow each other a cycle apart: each in the banks next to those of the one before.
  struct Access {
    Use use;
    BankSet first;     // of the first group that is to do it
    Cycle from;        // in which it does that
    unsigned skipped;  // groups before it, which have done it
  };
  /// A stream of groups books what it does, for as many of `groups` groups as nobody holds up: what is written is in
  /// the way, and for reads what older streams read, too. Among `accesses` those of older groups stand first.
  /// Returns how many; 0, and nothing is booked, if fewer than `least`.
  unsigned add_stream(unsigned number, std::span<const Access> accesses, unsigned groups, unsigned least) {
    const std::size_t before = streams_.size();
    for (const Access& access : accesses) {
      const Stream coming{number, access.use, turned_back(access.first, access.from), access.from,
                          access.from + groups - access.skipped};
      groups = access.skipped + clear_cycles(coming);
      if (groups < least) {
        streams_.resize(before);
        return 0;
      }
      if (access.use != Use::Refused) streams_.push_back(coming);
    }
    std::size_t stream = before;
    for (const Access& access : accesses)
      if (access.use != Use::Refused) {
        const Cycle until = access.from + groups - access.skipped;
        streams_[stream++].until = until;
        streams_until_ = std::max(streams_until_, until);
      }
    return groups;
  }
  /// Nobody asks for this cycle and earlier ones any more.
  void forget_past(Cycle now) {
    std::erase_if(streams_, [now](const Stream& stream) { return stream.until <= now; });
    if (last_booked_ <= now) ever_booked_ = 0;
  }
  /// Streams read no further.
  void end_reads() {
    std::erase_if(streams_, [](const Stream& stream) { return stream.use == Use::Read; });
  }
  /// The stream writes no further than for so many groups.
  void end_writes(unsigned number, unsigned groups) {
    for (Stream& stream : streams_)
      if (stream.number == number && stream.use == Use::Write) stream.until = stream.from + groups;
  }

  void forget() {
    writes_.assign(writes_.size(), {});
    streams_.clear();
    last_booked_ = streams_until_ = 0;
    ever_booked_ = 0;
  }

 private:
  struct Booking {
    Cycle cycle = kNever;
    BankSet banks = 0;
  };
  /// One access in each of these cycles. Its banks turn by one a cycle, so that `banks`, as they would have been in
  /// cycle 0, tell whether two streams ever meet.
  struct Stream {
    unsigned number;
    Use use;
    BankSet banks;
    Cycle from, until;
  };

  BankSet turned(BankSet banks, Cycle at) const { return shifted(banks, count_.turn(at)); }
  BankSet turned_back(BankSet banks, Cycle at) const { return shifted(banks, count_ - count_.turn(at)); }
  BankSet booked(Cycle at) const {
    const Booking& booking = writes_[at & last_];
    return booking.cycle == at ? booking.banks : 0;
  }
  BankSet in_streams(Cycle at, unsigned uses) const {
    if (at >= streams_until_) return 0;
    BankSet banks = 0;
    for (const Stream& stream : streams_)
      if ((stream.use & uses) != 0 && stream.from <= at && at < stream.until) banks |= stream.banks;
    return banks == 0 ? 0 : turned(banks, at);
  }
  /// How many of its cycles nobody holds it up; of one that is to be held up, in how many it is.
  unsigned clear_cycles(const Stream& coming) const {
    const auto most = static_cast<unsigned>(coming.until - coming.from);
    if (coming.banks == 0) return most;
    if (coming.use == Use::Refused) return taken_cycles(coming, most);
    Cycle end = coming.until;
    for (const Stream& stream : streams_) {
      if ((stream.banks & coming.banks) == 0 || (coming.use == Use::Write && stream.use == Use::Read)) continue;
      const Cycle meet = std::max(stream.from, coming.from);
      if (meet < std::min(stream.until, end)) end = meet;
    }
    if ((ever_booked_ & coming.banks) != 0)
      for (Cycle at = coming.from; at < std::min(end, last_booked_ + 1); ++at)
        if ((booked(at) & turned(coming.banks, at)) != 0) end = at;
    return static_cast<unsigned>(end - coming.from);
  }

  /// In so many cycles, of at most `most`, all its banks are taken.
  unsigned taken_cycles(const Stream& coming, unsigned most) const {
    unsigned i = 0;
    for (Cycle at = coming.from; i < most; at = coming.from + i) {
      const auto holds = std::ranges::find_if(streams_, [&](const Stream& stream) {
        return (coming.banks & ~stream.banks) == 0 && stream.from <= at && at < stream.until;
      });
      if (holds != streams_.end())
        i = static_cast<unsigned>(holds->until - coming.from);
      else if ((coming.banks & ~turned_back(taken(at), at)) == 0)
        ++i;
      else
        break;
    }
    return std::min(i, most);
  }

  BankCount count_;
  BankSet all_;
  std::array<std::uint8_t, kMaxWarpSize> shift_{};  // by groups: that, modulo banks
  std::vector<Booking> writes_;                     // by cycle modulo its size
  Cycle last_;                                      // index
  Cycle last_booked_ = 0;
  BankSet ever_booked_ = 0;  // in cycle 0's frame, of bookings of which one may be to come
  std::vector<Stream> streams_;
  Cycle streams_until_ = 0;  // the last one's end
};

}  // namespace warpfork::gpu
