// Decodes one PTX instruction into a flat record: operands to rows, modifiers to a handler and its mode bits.
#pragma once

#include "ptx/module.h"
#include "simt/instruction_set.h"
#include "simt/operand_decoder.h"
#include "simt/program.h"
#include "simt/symbol_table.h"

namespace warpfork::simt {

/// One method for each way of decoding operands that operations.def names. Errors name file, line and instruction.
class InstructionDecoder {
 public:
  InstructionDecoder(const ptx::Module& module, const ptx::Function& function, const DeviceSymbols& device,
                     const HandlerSet& handlers)
      : module_(module), operands_(module, function, device), handlers_(handlers) {}

  /// Everything of an instruction but what control flow analysis knows.
  Instruction decode(const ptx::Instruction& source);

  RegisterRows& rows() { return operands_.rows(); }
  const SymbolTable& symbols() const { return operands_.symbols(); }

 private:
  void arithmetic(const ptx::Instruction& source, Instruction& decoded);
  void lop3(const ptx::Instruction& source, Instruction& decoded);
  void compare(const ptx::Instruction& source, Instruction& decoded);
  void mov(const ptx::Instruction& source, Instruction& decoded);
  void mov_vector(const ptx::Instruction& source, Instruction& decoded);
  void convert(const ptx::Instruction& source, Instruction& decoded);
  void cvta(const ptx::Instruction& source, Instruction& decoded);
  void isspacep(const ptx::Instruction& source, Instruction& decoded);
  void load(const ptx::Instruction& source, Instruction& decoded);
  void store(const ptx::Instruction& source, Instruction& decoded);
  void atomic(const ptx::Instruction& source, Instruction& decoded);
  void vote(const ptx::Instruction& source, Instruction& decoded);
  void collective(const ptx::Instruction& source, Instruction& decoded);
  void member_mask(const ptx::Instruction& source, std::size_t others, Instruction& decoded);
  void branch(const ptx::Instruction& source, Instruction& decoded);
  void barrier(const ptx::Instruction& source, Instruction& decoded);
  void warp_barrier(const ptx::Instruction& source, Instruction& decoded);
  void reduction(const ptx::Instruction& source, Instruction& decoded);
  void barrier_number(const ptx::Operand& operand, Instruction& decoded);
  void barrier_threads(const ptx::Operand& operand, Instruction& decoded);
  void exit(const ptx::Instruction& source, Instruction& decoded);
  void fence(const ptx::Instruction& source, Instruction& decoded);
  void system_call(const ptx::Instruction& source, Instruction& decoded);
  void trap(const ptx::Instruction& source, Instruction& decoded);
  void nothing(const ptx::Instruction& source, Instruction& decoded);

  void expect_operands(const ptx::Instruction& source, std::size_t least, std::size_t most) const;
  void expect_memory_operands(const ptx::Instruction& source, std::size_t count) const;
  void access(const ptx::Instruction& source, Instruction& decoded);
  void guard(const ptx::Instruction& source, Instruction& decoded);
  void register_lists(const ptx::Instruction& source, Instruction& decoded);
  void select(const Operation& operation, Instruction& decoded);
  [[noreturn]] void unsupported(const ptx::Instruction& source) const;

  const ptx::Module& module_;
  OperandDecoder operands_;
  const HandlerSet& handlers_;
};

/// The space of ld, st, atom, cvta as the executor names it.
MemorySpace memory_space(ptx::StateSpace space);

}  // namespace warpfork::simt
