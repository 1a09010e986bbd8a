// Every form of the instructions of the differential tests: one text for each choice of modifiers and types, the same
// on every machine, so that what a GPU made of each can be kept beside it (tests/silicon).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference_harness/harness.h"

namespace warpfork::simt {

/// Bodies for the harness, at most 128 of a pattern, whose results depend on nothing but their operands: of each lane
/// for itself, and of whole warps. Memory that they read they write first, but for shared memory, which starts as
/// zeros.
std::vector<std::string> instruction_forms();
std::vector<std::string> warp_instruction_forms();
/// Those whose last bits the ISA leaves open: `%r0 = …(%r1, %r2)`.
std::vector<std::string> approximate_forms();

/// What each starts from: several launches of a block.
std::vector<std::vector<reference::ThreadRegisters>> form_operands();

/// The harness's module for a GPU, whose shared memory holds what an earlier kernel left there.
std::string silicon_module(const std::string& form);

/// One number for all that a form left behind, in every launch.
std::uint64_t digest(const std::vector<reference::Outcome>& outcomes);

}  // namespace warpfork::simt
