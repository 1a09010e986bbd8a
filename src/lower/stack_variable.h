// The stack of a thread in local memory: of recursive functions (recursion.h) or of what a kernel allocates
// (stack_allocations.h).
#pragma once

#include <string_view>

#include "lower/body_edit.h"

namespace warpfork::lower {

/// The .local variable that holds it. Nothing of the thread's local memory may lie behind it, so that what does not fit
/// is out of bounds.
inline constexpr std::string_view kStackVariable = "%activations";

/// Bytes of it; 0 where the function has none.
std::uint32_t stack_bytes_of(const ptx::Function& function);

/// Makes it as large; where the function has none, nothing happens.
void resize_stack(ptx::Function& function, std::uint32_t bytes);

/// Adds it, and before the first instruction its address in the register.
void add_stack_variable(ptx::Function& function, BodyEdit& edit, ptx::RegisterId stack, std::uint32_t alignment,
                        std::uint32_t bytes);

}  // namespace warpfork::lower
