// From the operands of a PTX instruction to rows of the register block (PTX ISA, "Instruction Operands").
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/module.h"
#include "simt/program.h"
#include "simt/register_rows.h"
#include "simt/symbol_table.h"

namespace warpfork::simt {

/// Decodes operands of one function; set_instruction() says whose, for messages. Errors name file, line and
/// instruction.
class OperandDecoder {
 public:
  OperandDecoder(const ptx::Module& module, const ptx::Function& function, const DeviceSymbols& device,
                 const lower::RegisterAllocation* allocation)
      : module_(&module), function_(&function), rows_(function, allocation), symbols_(module, function, device) {}

  void set_instruction(const ptx::Instruction& instruction) { instruction_ = &instruction; }
  [[noreturn]] void fail(std::string_view cause) const;

  /// Row of something that is read as `type`, which is not Pred: its register must be as wide as the type.
  std::uint32_t source(const ptx::Operand& operand, ptx::ScalarType type);
  /// The same where the register may be wider than the type; `is_wide` says whether it is a 64-bit row.
  std::uint32_t loose_source(const ptx::Operand& operand, ptx::ScalarType type, bool& is_wide);
  /// Likewise; for Pred the predicate's index.
  std::uint32_t destination(const ptx::Operand& operand, ptx::ScalarType type);
  std::uint32_t loose_destination(const ptx::Operand& operand, ptx::ScalarType type, bool& is_wide);
  /// What a row of the literal, read as `type`, holds.
  std::uint64_t literal_bits(const ptx::Operand& literal, ptx::ScalarType type) const {
    return literal_bits(*literal.as<ptx::ImmediateOperand>(), type);
  }
  /// A row of 64 bits with the literal, read as `type`, in its low bits.
  std::uint32_t wide_literal(const ptx::ImmediateOperand& literal, ptx::ScalarType type) {
    return rows_.constant(literal_bits(literal, type), true);
  }

  /// A predicate that is read; sets `negated` for `!p`.
  std::uint32_t predicate_source(const ptx::Operand& operand, bool& negated);
  std::uint32_t predicate_destination(const ptx::Operand& operand);

  /// Fills operand[0], immediate and space of a memory instruction.
  void address(const ptx::Operand& operand, Instruction& decoded);

  /// An integer literal; fails with `what` if it is not one.
  std::uint64_t literal(const ptx::Operand& operand, std::string_view what) const;

  RegisterRows& rows() { return rows_; }
  const SymbolTable& symbols() const { return symbols_; }
  const ptx::Register& declared(ptx::RegisterId id) const { return function_->registers[id]; }

 private:
  std::uint64_t literal_bits(const ptx::ImmediateOperand& literal, ptx::ScalarType type) const;
  PlacedSymbol symbol(const ptx::SymbolOperand& operand) const;
  void check_width(ptx::RegisterId id, ptx::ScalarType type) const;
  void literal_address(std::uint64_t address, Instruction& decoded);

  const ptx::Module* module_;
  const ptx::Function* function_;
  const ptx::Instruction* instruction_ = nullptr;
  RegisterRows rows_;
  SymbolTable symbols_;
};

}  // namespace warpfork::simt
