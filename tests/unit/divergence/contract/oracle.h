// Every thread on its own: what it must execute, whatever the divergence mechanism.
#pragma once

#include <cstdint>
#include <vector>

#include "flow_program.h"

namespace warpfork::contract {

/// The pcs that one thread executes, in order, to its exit. Which way a thread goes depends on the thread (at some
/// branches only on its warp), on the branch and on how often the thread has been there; after a while it makes for the
/// nearest exit.
std::vector<Pc> walk(const FlowProgram& program, unsigned thread, std::uint64_t seed);

}  // namespace warpfork::contract
