// Kernel names as their authors wrote them.
#pragma once

#include <string>

namespace warpfork::report {

/// A C++ name without parameter list and anonymous namespace: "_ZN12_GLOBAL__N_16expandEPKi" as "expand". Any other
/// name stays as it is.
std::string readable_kernel_name(const std::string& name);

/// The text with each of its C++ names as readable_kernel_name() has it: "launch of '_Z3addPfS_i'" as "launch of
/// 'add'".
std::string with_readable_names(const std::string& text);

}  // namespace warpfork::report
