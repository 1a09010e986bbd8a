// How a failure of a running kernel names its place: kernel, thread, block, instruction, PTX line and source line.
#pragma once

#include <string>
#include <string_view>

#include "simt/launch.h"
#include "simt/program.h"

namespace warpfork::simt {

/// Printed sample:
///   kernel.ptx:31: error: kernel 'copy', thread (5,0,0) of block (2,0,0): global store of 4 bytes at 0xc0000104 is out
///   of bounds
///     instruction 12: st.global.u32 (copy.cu:7)
///     nearest allocation: 'out', 256 bytes at 0xc0000000; the address is 4 bytes past its end
std::string failure_text(const Instruction& instruction, const WarpContext& warp, unsigned lane, std::string_view cause,
                         std::string_view remedy);

/// Throws Error with that text.
[[noreturn]] void fail(const Instruction& instruction, const WarpContext& warp, unsigned lane, std::string_view cause,
                       std::string_view remedy);

/// Thread position in its block of a lane of the warp.
Dim3 thread_of(const WarpContext& warp, unsigned lane);

}  // namespace warpfork::simt
