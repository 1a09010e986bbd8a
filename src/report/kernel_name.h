// Kernel names as their authors wrote them.
#pragma once

#include <string>

namespace warpfork::report {

/// A C++ name without parameter list, anonymous namespace and ABI tags, in which compilers of other languages tell
/// versions of a function apart: "_ZN12_GLOBAL__N_16expandEPKi" as "expand", "_ZN3app3addB2v1Ei" as "app::add". Any
/// other name stays as it is.
std::string readable_kernel_name(const std::string& name);

/// Such a name without what it is in: "app::sort<app::Key>" as "sort<app::Key>".
std::string unscoped_name(const std::string& readable);

/// Whether a user may mean the kernel: by its name in the PTX, or as tables show it, with or without what it is in.
bool names_kernel(const std::string& wanted, const std::string& kernel);

/// The text with each of its C++ names as readable_kernel_name() has it: "launch of '_Z3addPfS_i'" as "launch of
/// 'add'".
std::string with_readable_names(const std::string& text);

}  // namespace warpfork::report
