// Values moved nearer to their uses: PTX names every value where the compiler happened to compute it, and leaves it to
// an allocator's compiler to keep few of them alive at once.
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Lowers the largest number of 32-bit registers that are alive at once, until it is `enough` or nothing helps: moves
/// definitions down to their first use, and then repeats what costs the fewest instructions at its uses (literals,
/// parameters, special registers, addresses of variables, arithmetic whose operands are alive there). Only what is
/// alive where it is most crowded is touched. Loads from memory stay where they are: the distance to their use hides
/// their latency.
void shorten_lives(ptx::Function& function, unsigned enough);

}  // namespace warpfork::lower
