// Which of the builds of the lane handlers runs: the x86-64 baseline, AVX2 with FMA and BMI, or AVX-512 with its
// extensions F, VL, BW and DQ. Results are alike.
#pragma once

#include <string_view>

#include "simt/lanes/select.h"

namespace warpfork::simt {

/// From the least to the best.
enum class HostInstructionSet : std::uint8_t { Baseline, Avx2, Avx512 };

/// The best that this host can run.
HostInstructionSet host_instruction_set();

/// A family of handlers, by its name in operations.def; null for "none".
using Selector = Handler (*)(const Operation&);

/// The selectors of one build.
struct HandlerSet {
  Selector integer, carry, bits, video, logic, floating, half, approximate, compare, choice;
  Selector move, convert, pack, load, store, atomic, collective, matrix;
};
const HandlerSet& handler_set(HostInstructionSet set);

/// The handler of an operation, of the family that operations.def names; null if none supports it.
Handler select_handler(const HandlerSet& handlers, const Operation& operation);

}  // namespace warpfork::simt
