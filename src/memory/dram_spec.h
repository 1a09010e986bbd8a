// What a machine description says about a DRAM channel: geometry and the timing table of its chips.
#pragma once

#include "base/range.h"

namespace warpfork::memory {

/// Longer ones than any chip's, so that their sums stay small.
inline constexpr Range kDramClocks = {0, 1 << 20};

struct DramSpec {
  unsigned banks = 8;
  unsigned bank_groups = 1;
  unsigned burst_bytes = 64;
  unsigned burst_cycles = 2;
  unsigned scheduler_queue = 64;
  unsigned return_queue = 116;
  unsigned fixed_delay = 100;
  unsigned column_to_column = 2;
  unsigned column_to_column_group = 0;
  unsigned row_to_row = 6;
  unsigned row_to_column = 12;
  unsigned row_active = 28;
  unsigned precharge = 12;
  unsigned row_cycle = 40;
  unsigned cas_latency = 12;
  unsigned write_latency = 4;
  unsigned write_to_read = 5;
  unsigned write_recovery = 12;
  unsigned read_to_precharge_group = 0;

  template <class Visit>
  void visit(Visit&& v) {
    v("banks", banks, "banks of a channel, a power of two", {1, 64});
    v("bank_groups", bank_groups, "bank groups, a power of two; the group is the lowest bits of the bank number",
      {1, 64});
    v("burst_bytes", burst_bytes, "bytes of one burst over all chips of the channel", {1, 4096});
    v("burst_cycles", burst_cycles, "command clocks of one burst", kDramClocks);
    v("scheduler_queue", scheduler_queue, "requests the first-ready first-come scheduler chooses from", {1, 4096});
    v("return_queue", return_queue, "read data that may wait for the L2", {0, 1 << 20});
    v("fixed_delay", fixed_delay, "core cycles between the L2's queue and the scheduler", kDramClocks);
    v("column_to_column", column_to_column, "CCD, command clocks", kDramClocks);
    v("column_to_column_group", column_to_column_group, "CCDL: the same within a bank group", kDramClocks);
    v("row_to_row", row_to_row, "RRD: activate to activate of another bank", kDramClocks);
    v("row_to_column", row_to_column, "RCD: activate to read", kDramClocks);
    v("row_active", row_active, "RAS: activate to precharge", kDramClocks);
    v("precharge", precharge, "RP: precharge to activate", kDramClocks);
    v("row_cycle", row_cycle, "RC: activate to activate of the same bank", kDramClocks);
    v("cas_latency", cas_latency, "CL: read to data", kDramClocks);
    v("write_latency", write_latency, "WL: write to data", kDramClocks);
    v("write_to_read", write_to_read, "CDLR: end of the write data to a read", kDramClocks);
    v("write_recovery", write_recovery, "WR: end of the write data to precharge", kDramClocks);
    v("read_to_precharge_group", read_to_precharge_group, "RTPL: read to precharge within a bank group", kDramClocks);
  }
};

}  // namespace warpfork::memory
