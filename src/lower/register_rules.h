// What a machine says about the registers of its threads.
#pragma once

#include <optional>

#include "analysis/uniformity.h"
#include "lower/register_allocation.h"

namespace warpfork::lower {

struct RegisterRules {
  bool allocate = false;     // registers are allocated; if not, every PTX register has a place of its own
  bool as_written = false;   // instructions are those of the PTX, in its order (STSIMT 4.3): no life is shortened
  unsigned of_thread = 0;    // that a thread can have at most; 0 = no limit
  unsigned of_core = 0;      // that the threads of a core share; 0 = no limit
  unsigned lanes = 1;        // in which a core's warps have their registers, dealt out in turn
  unsigned threads = 0;      // of a core
  unsigned granularity = 1;  // a thread's are rounded up to a multiple of this
  unsigned warp_size = 32;
  unsigned block_threads = 0;   // of a block that is to fit into a core where the kernel does not say; 0 = not known
  bool scalars_beside = false;  // a warp's scalar registers lie in the same file (STSIMT section 4)
};

/// Registers that a thread of the kernel may have: the machine's limit, the kernel's own (.maxnreg), and so few that
/// .minnctapersm blocks of .maxntid or .reqntid threads fit into a core, or one, if it does not say (PTX ISA,
/// "Performance-Tuning Directives"; CUDA programming guide, "Launch Bounds"), or one of RegisterRules::block_threads;
/// the smallest of them.
unsigned register_limit(const ptx::Function& function, const RegisterRules& rules);

/// Registers with which a core is full of threads: fewer gain nothing. 0 where that is not known.
unsigned enough_registers(const RegisterRules& rules);

/// Makes registers narrow where they can be (narrow_registers()), shortens lives while there are more than enough
/// (shorten_lives()), unless the code is to stay as written, then gives the kernel's registers places
/// (allocate_registers()), the scalar ones by this rule apart; nothing if the machine does not ask for it. Where scalar
/// registers take room of the others' file, a thread gets so many fewer that the blocks of register_limit() still fit.
std::optional<RegisterAllocation> place_registers(
    ptx::Function& function, const RegisterRules& rules,
    const std::optional<analysis::UniformityOptions>& scalars = std::nullopt);

}  // namespace warpfork::lower
