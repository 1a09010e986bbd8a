// The decode stage, done once per kernel: PTX instructions become flat records with resolved operand offsets.
#pragma once

#include "ptx/module.h"
#include "simt/code_options.h"
#include "simt/instruction_set.h"
#include "simt/program.h"
#include "simt/symbol_table.h"

namespace warpfork::simt {

/// `function` is an entry without calls whose last instruction does not fall off its end (see lower::lower()); both it
/// and `module` must outlive the program. `allocation`: of its registers. Throws Error naming file, line and
/// instruction for whatever is not supported.
///
/// Printed sample:
///   kernel.ptx:12: error: instruction 'txq.width.b32' is not supported
Program decode(const ptx::Module& module, const ptx::Function& function, const DeviceSymbols& device,
               HostInstructionSet set, const CodeOptions& code,
               std::optional<lower::RegisterAllocation> allocation = std::nullopt);

}  // namespace warpfork::simt
