// Of which lanes a physical register holds the latest value, where not of all (SIMT-X 3.8: the PIRAT's field M/T).
#pragma once

#include "ooo/paths/path_table.h"

namespace warpfork::ooo {

/// A path while the register's writer is in flight; then, the path being kNoPath, a mask.
struct RegisterTag {
  PathId path = kNoPath;
  LaneMask mask = 0;

  LaneMask lanes(const PathTable& paths) const { return path == kNoPath ? mask : paths.mask(path); }
  /// The lanes will never be fewer.
  bool certain(const PathTable& paths) const { return path == kNoPath || paths.resolved(path); }
};

}  // namespace warpfork::ooo
