// One GDDR channel: scheduler, banks with row buffers, shared command and data bus (gtx480.md "DRAM").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/types.h"
#include "memory/clock_ratio.h"
#include "memory/dram_request.h"
#include "memory/dram_spec.h"
#include "memory/dram_statistics.h"
#include "memory/ring.h"

namespace warpfork::memory {

/// Requests wait out a fixed delay, then stand in the scheduler. Each tick of the command clock: data of an earlier
/// read come out; one idle bank gets a request (of those for its open row the oldest, else the oldest); one command
/// goes out, the banks asked in turn, a column command before a row command.
class DramChannel {
 public:
  explicit DramChannel(const DramSpec& spec);

  bool can_accept() const {
    return queued_ < spec_.scheduler_queue && in_flight_ < spec_.scheduler_queue + spec_.return_queue;
  }
  /// Needs can_accept(); `now` in core cycles.
  void accept(const DramRequest& request, Cycle now);
  /// The read whose data are here, if any.
  bool has_return(Tick tick) const { return !data_.empty() && data_.front().ready <= tick; }
  const DramRequest& returned() const { return data_.front().request; }
  void pop_return();
  /// One command clock, which falls into core cycle `now`. Returns whether anything moved.
  bool tick(Tick tick, Cycle now);
  /// After a tick in which nothing moved: the first one after it in which something may, or kNever. A request that
  /// still waits out its fixed delay is not counted, see next_arrival().
  Tick next_tick(Tick tick) const;
  /// Core cycle in which the fixed delay of a request ends; kNever when none waits.
  Cycle next_arrival() const { return delayed_.empty() ? kNever : delayed_.front().ready; }
  bool idle() const { return in_flight_ == 0; }
  const DramStatistics& statistics() const { return statistics_; }
  /// Forgets all times; needs idle(). Open rows stay open.
  void reset_clock();

 private:
  struct Timed {
    std::uint64_t ready;
    DramRequest request;
  };
  struct Bank {
    std::optional<std::uint32_t> open_row;  // as the row buffer was last loaded, also after a precharge
    bool active = false;
    unsigned bursts = 0;             // of the request, still to come
    DramRequest request;             // being served, if the bank is busy
    Tick read_at = 0, write_at = 0;  // row to column
    Tick precharge_at = 0;
    Tick activate_at = 0;
    std::uint32_t first = kNoNode, last = kNoNode;  // waiting requests, oldest first
  };
  struct Group {
    Tick column_at = 0;
    Tick precharge_at = 0;
  };
  struct Node {
    DramRequest request;
    std::uint32_t next = kNoNode;
  };
  static constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

  void enter_scheduler(const DramRequest& request);
  void assign();
  DramRequest take_first_ready(Bank& bank, unsigned number);
  bool issue(Tick tick);
  std::uint64_t candidates(Tick tick) const;
  Tick command_ready(unsigned number) const;
  void issue_column(unsigned number, Tick tick);
  void issue_row(unsigned number, Tick tick);
  void sort(unsigned number);
  std::uint64_t busy() const { return to_read_ | to_write_ | to_activate_ | to_precharge_; }
  unsigned in_turn(std::uint64_t banks) const;

  DramSpec spec_;
  Tick column_to_column_;                                                   // the data bus carries one burst at a time
  Tick read_to_write_, write_to_read_, write_to_precharge_, row_to_write_;  // derived, command clocks
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> free_nodes_;
  Ring<Timed> delayed_;        // ready: core cycle
  Ring<Timed> data_;           // ready: tick
  std::uint64_t waiting_ = 0;  // banks with requests in the scheduler
  // Banks with a request in service, by what it needs next.
  std::uint64_t to_read_ = 0, to_write_ = 0, to_activate_ = 0, to_precharge_ = 0;
  unsigned queued_ = 0;  // requests in the scheduler
  unsigned in_flight_ = 0;
  unsigned turn_ = 0;  // the bank that is asked first
  Tick column_at_ = 0, activate_at_ = 0, read_at_ = 0, write_at_ = 0;
  DramStatistics statistics_;
};

}  // namespace warpfork::memory
