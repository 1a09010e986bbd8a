// Decodes one PTX instruction into a flat record: operands to rows, modifiers to a handler and its mode bits.
#pragma once

#include "ptx/module.h"
#include "simt/decode_context.h"

namespace warpfork::simt {

/// Of one function: operands as operations.def says, guard, and the lists of registers. Errors name file, line and
/// instruction.
class InstructionDecoder {
 public:
  InstructionDecoder(const ptx::Module& module, const ptx::Function& function, const DeviceSymbols& device,
                     const HandlerSet& handlers, const lower::RegisterAllocation* allocation)
      : context_(module, function, device, handlers, allocation), allocation_(allocation) {}

  /// Everything of an instruction but what control flow analysis knows.
  Instruction decode(const ptx::Instruction& source);

  RegisterRows& rows() { return context_.operands.rows(); }
  const SymbolTable& symbols() const { return context_.operands.symbols(); }

 private:
  void guard(const ptx::Instruction& source, Instruction& decoded);
  void register_lists(const ptx::Instruction& source, Instruction& decoded) const;
  std::uint16_t listed(ptx::RegisterId id) const;

  DecodeContext context_;
  const lower::RegisterAllocation* allocation_;
};

}  // namespace warpfork::simt
