// Entries of reconvergence tables on their way to memory and back (MULTIPATH section 3.3.1; docs/adr/0014).
#pragma once

#include <cstdint>
#include <span>

#include "divergence/domain_effects.h"
#include "gpu/in_flight_pool.h"
#include "gpu/load_store_unit.h"
#include "gpu/outstanding_operations.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {

/// Each warp slot of the machine has its place in memory for the entries of its table.
class TableTraffic {
 public:
  /// Of the core with this number and so many warps.
  TableTraffic(unsigned core, unsigned warps, InFlightPool& pool, LoadStoreUnit& load_store,
               OutstandingOperations& operations)
      : core_(core), warps_(warps), pool_(pool), load_store_(load_store), operations_(operations) {}

  /// Of a block whose warps are in the slots from `first_warp` on: the load/store unit takes the entries along its way
  /// to the L1 data cache, like local memory. A warp to which an entry comes back does not issue until it is there.
  void send(std::span<const TableMove> moves, unsigned first_warp, report::LaunchListener& listener, Cycle now);

  /// Whether this is no warp's instruction but an entry that has come back.
  static bool is_entry(const InFlight& record);

 private:
  InFlightId bring_back(unsigned warp);

  unsigned core_, warps_;
  InFlightPool& pool_;
  LoadStoreUnit& load_store_;
  OutstandingOperations& operations_;
};

}  // namespace warpfork::gpu
