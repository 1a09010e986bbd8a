// Instructions that give each thread something of its own, whatever their operands (STSIMT section 4.2, step 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ptx/module.h"

namespace warpfork::analysis {

enum class DivergenceSource : std::uint8_t {
  ThreadIndex,  // reads %tid, %laneid or a lane mask
  LocalMemory,  // a load or store of the thread's own memory
  Atomic,       // every thread changes the word, and gets what it was then
  Collective,   // shuffles, matches and elections answer each lane on its own, reductions at barriers wait for all
  CarryFlag,    // which is a thread's own
  SystemCall,
};

/// What an analysis may take for granted besides the text.
struct SourceAssumptions {
  /// 32 divides the blocks' x (for warps of 32): %tid.y and %tid.z are one value for all of a warp.
  bool rows_fill_warps = false;
  /// No address of local memory is made generic in this function: a generic access does not reach it.
  bool generic_is_shared_by_all = false;
};

/// Whether the function makes a generic address of a local one.
bool makes_local_generic(const ptx::Function& function);

/// Nothing if what the instruction does depends on its register operands and memory alone.
std::optional<DivergenceSource> divergence_source(const ptx::Instruction& instruction, const SourceAssumptions& given);

/// Of an instruction whose lanes all get one result, though each gives an operand of its own (votes and reductions of a
/// warp): that operand's place. Any other must be the same for all.
std::optional<std::size_t> data_of_warp_result(const ptx::Instruction& instruction);

}  // namespace warpfork::analysis
