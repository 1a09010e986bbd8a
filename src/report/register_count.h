// What a kernel takes of the register file (docs/result-schema.md, "registers"; STSIMT Figure 9).
#pragma once

#include <cstdint>

namespace warpfork::report {

struct RegisterCount {
  std::uint64_t vector = 0, scalar = 0, warp = 0;

  template <class Visitor>
  void visit(Visitor&& v) {
    v.largest(
        "vector", vector, "registers",
        "of 32 bits of a thread: the places of an allocation (`core.register_allocation`), or those alive at once");
    v.largest("scalar", scalar, "registers", "of a warp, likewise; 0 without `core.scalarize`");
    v.largest("warp", warp, "registers", "`vector` for each of a warp's threads, and `scalar` (STSIMT Figure 9)");
  }
};

}  // namespace warpfork::report
