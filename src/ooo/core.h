// A CPU core that runs recorded threads.
#pragma once

#include "ooo/core_counts.h"

namespace warpfork::ooo {

class Core {
 public:
  virtual ~Core() = default;
  /// One cycle, or a jump to the next in which something can happen. False when all threads have ended. Throws Error
  /// when none can ever go on.
  virtual bool cycle() = 0;
  virtual CoreCounts counts() const = 0;
};

}  // namespace warpfork::ooo
