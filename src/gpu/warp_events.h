// What the units of a core tell it about its warps.
#pragma once

#include "gpu/in_flight.h"

namespace warpfork::gpu {

class WarpEvents {
 public:
  /// The instruction's results are in the register file (or it has none): its registers are free again.
  virtual void written_back(const InFlight& record) = 0;
  /// The instruction's operands have been read: who waits to write these registers may go on. Told only of lanes that
  /// do not read in the order of issue, and only where registers are allocated.
  virtual void operands_read(const InFlight& record) { (void)record; }
  /// The instruction has left the pipeline; outstanding loads are tracked by their registers, stores by their
  /// transactions, which the sender of the instruction counts.
  virtual void left_pipeline(unsigned warp) = 0;
  /// Both: it leaves the pipeline as its results are written.
  virtual void completed(const InFlight& record) {
    written_back(record);
    left_pipeline(record.warp);
  }
  /// One transaction of a store is done.
  virtual void store_acknowledged(unsigned warp) = 0;
  /// All answers to an atomic instruction of the warp are back.
  virtual void atomic_done(unsigned warp) = 0;

 protected:
  ~WarpEvents() = default;
};

}  // namespace warpfork::gpu
