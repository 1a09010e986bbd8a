// How results from outside the lanes come to the register file.
#pragma once

#include "gpu/in_flight.h"

namespace warpfork::gpu {

class RegisterWritePort {
 public:
  /// A result is written from this cycle on: returns the cycles until dependents may issue. 0 (and nothing is done) if
  /// a bank is already being written and `wait` is set.
  virtual unsigned write(const InFlight& record, bool wait) = 0;

 protected:
  ~RegisterWritePort() = default;
};

}  // namespace warpfork::gpu
