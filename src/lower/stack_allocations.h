// Memory that threads allocate on their stack (PTX ISA, "Stack Manipulation Instructions").
#pragma once

#include "ptx/module.h"

namespace warpfork::lower {

/// Whether the function's own code does.
bool allocates_on_stack(const ptx::Function& function);

/// `stacksave` or `stackrestore` of the register.
ptx::Instruction stack_access(ptx::Opcode opcode, ptx::RegisterId place, ptx::ScalarType address,
                              const ptx::Location& location);

/// Makes of alloca, stacksave and stackrestore moves of a register through the thread's stack. They are left where
/// recursive functions have that: their calls move it.
void allocate_on_stack(ptx::Function& function, std::uint32_t stack_bytes);

}  // namespace warpfork::lower
