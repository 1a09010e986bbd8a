// What a core did, in the events that have prices.
#pragma once

#include <string_view>

#include "energy/price_list.h"
#include "ooo/core_counts.h"
#include "ooo/machine_spec.h"

namespace warpfork::energy {

/// Operations are counted lane by lane, everything else once for all lanes of a warp.
struct Activity {
  double cycles = 0;
  double instructions = 0;  ///< decoded
  double branches = 0;      ///< predicted and trained
  double uops = 0;          ///< renamed, those that are flushed later among them
  double issued = 0, committed = 0;
  double integer_operations = 0;  ///< computed addresses among them
  double multiply_operations = 0;
  double vector_operations = 0, float_operations = 0;  ///< on 64 bits
  double memory_operations = 0, memory_words = 0;      ///< of lanes; what they move, in 64 bits
  double l1_requests = 0, l1_words = 0;                ///< of lines; what is read or written of them, in 64 bits
  double l1_fills = 0;                                 ///< of lines
  double l2_requests = 0, memory_lines = 0;            ///< of lines; requests are also those that fill or write back
};

/// Of a run. What CoreCounts does not hold is derived as docs/energy.md says: instructions and branches that were
/// fetched and flushed.
Activity activity_of(const ooo::CoreCounts& counts);

/// Of one cycle in which every stage is full, all units and lanes work, and every access hits a bank of its own.
Activity peak_activity(const ooo::MachineSpec& machine);

}  // namespace warpfork::energy
