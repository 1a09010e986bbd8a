// PTX functions written by hand for the tests of the analyses: one call per instruction, labels are pcs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ptx/module.h"

namespace warpfork::analysis {

class FunctionBuilder {
 public:
  FunctionBuilder() { function_.name = "kernel"; }

  ptx::RegisterId reg(ptx::ScalarType type) {
    function_.registers.push_back({.name = "%r" + std::to_string(function_.registers.size()), .type = type});
    return static_cast<ptx::RegisterId>(function_.registers.size() - 1);
  }
  /// Guards the instruction added last.
  FunctionBuilder& when(ptx::RegisterId predicate) {
    function_.body.back().guard = ptx::Guard{.predicate = predicate};
    return *this;
  }
  FunctionBuilder& add(ptx::Opcode opcode, std::vector<ptx::Operand> operands = {}) {
    ptx::Instruction instruction;
    instruction.opcode = opcode;
    instruction.operands = std::move(operands);
    instruction.location.line = 10 + static_cast<std::uint32_t>(function_.body.size());
    function_.body.push_back(std::move(instruction));
    return *this;
  }
  /// Sequential code that touches no register.
  FunctionBuilder& nop() { return add(ptx::Opcode::Membar); }
  FunctionBuilder& bra(Pc target) { return add(ptx::Opcode::Bra, {ptx::LabelOperand{"L", target}}); }
  /// A guarded branch, also falling through.
  FunctionBuilder& branch(Pc target) { return bra(target).when(predicate()); }
  /// Of the branch added last, which calls or comes back.
  FunctionBuilder& call(std::uint32_t number) {
    function_.body.back().call = number;
    return *this;
  }
  FunctionBuilder& exit() { return add(ptx::Opcode::Exit); }
  FunctionBuilder& mov(ptx::RegisterId to, ptx::RegisterId from) {
    return add(ptx::Opcode::Mov, {ptx::RegisterOperand{to}, ptx::RegisterOperand{from}});
  }
  FunctionBuilder& set(ptx::RegisterId to) {
    return add(ptx::Opcode::Mov, {ptx::RegisterOperand{to}, ptx::ImmediateOperand{}});
  }
  FunctionBuilder& load(ptx::StateSpace space, ptx::RegisterId to) {
    add(ptx::Opcode::Ld, {ptx::RegisterOperand{to}, ptx::AddressOperand{}});
    function_.body.back().space = space;
    return *this;
  }
  ptx::RegisterId predicate() {
    if (!has_predicate_) predicate_ = reg(ptx::ScalarType::Pred);
    has_predicate_ = true;
    return predicate_;
  }
  ptx::Function& function() { return function_; }

 private:
  ptx::Function function_;
  ptx::RegisterId predicate_ = 0;
  bool has_predicate_ = false;
};

}  // namespace warpfork::analysis
