// Random control flow: a tape of small numbers becomes a program, so that a shorter tape of smaller numbers is a
// simpler one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flow_program.h"

namespace warpfork::contract {

enum class Shape : std::uint8_t {
  Structured,       // if, else, loops, switch; barriers where all threads pass once
  EarlyExits,       // the same with exits, breaks and continues anywhere, without barriers
  SplitAtBarriers,  // the same with barriers: exits keep threads of a warp from meeting before a barrier
  Unstructured,     // jumps from anywhere to anywhere, irreducible loops, several exits
};

FlowProgram make_program(Shape shape, ReconvergenceRule rule, std::span<const std::uint8_t> tape);

}  // namespace warpfork::contract
