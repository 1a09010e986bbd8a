// What the ways of decoding operands share: rows for operands, handlers for operations, and how they refuse.
#pragma once

#include <cstddef>
#include <span>

#include "ptx/module.h"
#include "simt/instruction_set.h"
#include "simt/operand_decoder.h"
#include "simt/program.h"

namespace warpfork::simt {

/// Of one function. Errors name file, line and instruction.
class DecodeContext {
 public:
  DecodeContext(const ptx::Module& from, const ptx::Function& function, const DeviceSymbols& device,
                const HandlerSet& handlers, const lower::RegisterAllocation* allocation)
      : module(from), operands(from, function, device, allocation), handlers_(handlers) {}

  /// Throws Error if the instruction has another number of operands.
  void expect_operands(const ptx::Instruction& source, std::size_t least, std::size_t most) const;
  /// Likewise, with the member mask of a .sync instruction behind `others` operands.
  void member_mask(const ptx::Instruction& source, std::size_t others, Instruction& decoded);
  /// Those of the operand; throws Error unless they are as many as .vN says.
  std::span<const ptx::Operand> elements(const ptx::Instruction& source, std::size_t operand) const;
  /// Sets the handler; throws Error if there is none for the operation.
  void select(const Operation& operation, Instruction& decoded) const;
  [[noreturn]] void unsupported(const ptx::Instruction& source) const;

  const ptx::Module& module;
  OperandDecoder operands;

 private:
  const HandlerSet& handlers_;
};

}  // namespace warpfork::simt
