// alignas behind other specifiers, `__shared__ alignas(16) float tile[64];`, which nvcc takes.
#pragma once

#include <string_view>

namespace warpfork::compiler {

/// Whether clang has ended at an attribute behind specifiers, where its grammar has none.
bool has_late_attribute(std::string_view errors);

/// Of the toolchain's headers: makes alignas an attribute of GNU's, which may stand there.
inline constexpr const char* kLateAlignmentHeader = "warpfork/late_alignment.h";

}  // namespace warpfork::compiler
