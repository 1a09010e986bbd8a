// Limits of registers that a compiler's option asks for (PTX ISA, "Performance-Tuning Directives": .maxnreg).
#pragma once

#include <string>
#include <string_view>

namespace warpfork::ptx {

/// Every kernel gets `.maxnreg`, but those with launch bounds or a limit of their own: nvcc's -maxrregcount and the
/// driver's CU_JIT_MAX_REGISTERS. Text that is malformed stays as it is, for its parser to say so.
std::string with_register_limit(std::string_view text, unsigned registers);

}  // namespace warpfork::ptx
