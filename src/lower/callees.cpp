#include "lower/callees.h"

#include "lower/call_check.h"
#include "ptx/call_parts.h"
#include "ptx/function_addresses.h"

namespace warpfork::lower {

std::vector<const ptx::Function*> Callees::named(const ptx::Instruction& call, const ptx::Function& caller) {
  const auto* name = call.operands.back().as<ptx::SymbolOperand>();
  const auto table = name ? caller.call_targets.find(name->name) : caller.call_targets.end();
  if (table == caller.call_targets.end()) {
    if (!with_addresses_) with_addresses_ = ptx::functions_with_addresses(module_);
    return *with_addresses_;
  }
  std::vector<const ptx::Function*> functions;
  for (const std::string& target : table->second) functions.push_back(module_.find_function(target));
  return functions;
}

std::vector<const ptx::Function*> Callees::of(const ptx::Instruction& call, const ptx::Function& caller) {
  std::vector<const ptx::Function*> functions = named(call, caller);
  std::erase_if(functions, [&](const ptx::Function* function) {
    return function == nullptr || function->is_declaration || wrong_call(parts_of(call), *function, caller);
  });
  return functions;
}

const std::vector<const ptx::Function*>& Callees::called_by(const ptx::Function& function) {
  const auto [known, is_new] = called_by_.try_emplace(&function);
  std::vector<const ptx::Function*>& called = known->second;
  if (!is_new) return called;
  for (const ptx::Instruction& instruction : function.body) {
    if (instruction.opcode != ptx::Opcode::Call) continue;
    const ptx::CallParts call = parts_of(instruction);
    if (!call.function) {
      const std::vector<const ptx::Function*> any = of(instruction, function);
      called.insert(called.end(), any.begin(), any.end());
    } else if (const ptx::Function* callee = module_.find_function(call.function->name); callee && !callee->is_entry) {
      called.push_back(callee);
    }
  }
  return called;
}

}  // namespace warpfork::lower
