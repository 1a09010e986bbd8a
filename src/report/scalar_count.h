// What a warp executed once, not for each of its threads (docs/result-schema.md, "scalars"; STSIMT Figure 10).
#pragma once

#include <cstdint>

#include "report/ratio.h"

namespace warpfork::report {

struct ScalarCount {
  std::uint64_t launches = 0;  // under a rule
  std::uint64_t code = 0, scalar_code = 0;
  unsigned live_vector_registers = 0, live_scalar_registers = 0;
  std::uint64_t warp_instructions = 0;  // scalar ones

  /// core.scalarize is off.
  bool empty() const { return launches == 0; }
};

/// As a group of a launch that issued so many warp instructions.
struct ScalarsOfLaunch {
  ScalarCount& scalars;
  std::uint64_t issued;

  bool empty() const { return scalars.empty(); }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.hidden("launches", scalars.launches);
    v.count("code", scalars.code, "instructions", "of the kernel's text; in totals each launch's");
    v.count("scalar_code", scalars.scalar_code, "instructions",
            "of these, scalar ones: they see one value of each operand in all threads that execute them");
    v.rate("static_share", ratio(scalars.scalar_code, scalars.code), "0 … 1", "`scalar_code` / `code`");
    v.fact("live_vector_registers", scalars.live_vector_registers, "registers",
           "of 32 bits of a thread that are alive at once, the largest number");
    v.fact("live_scalar_registers", scalars.live_scalar_registers, "registers",
           "of 32 bits of a warp that are alive at once, the largest number");
    v.count("warp_instructions", scalars.warp_instructions, "warp instructions", "issued, scalar ones");
    v.rate("executed_share", ratio(scalars.warp_instructions, issued), "0 … 1",
           "of the launch's `warp_instructions` (STSIMT Figure 10)");
  }
};

}  // namespace warpfork::report
