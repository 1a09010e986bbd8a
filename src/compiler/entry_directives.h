// Directives of PTX (PTX ISA, "Directives") that nvcc's options ask for and clang does not write.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// __maxnreg__(N) of toolchain/include/host_defines.h, which clang writes as `.minnctapersm` of 0x1000000 + N blocks:
/// `.maxnreg N` is put in its place.
std::string with_limits_of_kernels(std::string_view ptx);

/// For an architecture that is newer than clang: code for an older one is code for it, too. For one that is older than
/// clang's code: what is executed tells no difference.
std::string with_target(std::string_view ptx, unsigned architecture);

}  // namespace warpfork::compiler
