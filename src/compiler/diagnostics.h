// What the two passes of clang over one source say.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// What both said, each warning with its notes once: first what the device's pass alone had to say, without its count
/// of warnings, then all of the host's, and remedies for what the device's refused.
///   saxpy.cu:3:7: warning: unused variable 'x' [-Wunused-variable]
std::string said_once(std::string_view device, std::string_view host);

/// What to do about what clang refuses without a word about that; empty if `said` has nothing of the kind.
///   warpfork cc: this clang has no launches from kernels: build the program by nvcc -rdc=true … -lcudadevrt, …
std::string remedies(std::string_view said);

}  // namespace warpfork::compiler
