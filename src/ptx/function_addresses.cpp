#include "ptx/function_addresses.h"

#include <set>

#include "ptx/operand_walk.h"

namespace warpfork::ptx {

namespace {

using Functions = std::set<const Function*>;

/// Names of a call are those of its callee and of its prototype or table, those of an indexed branch that of its table.
bool names_addresses(const Instruction& instruction) {
  return instruction.opcode != Opcode::Call && instruction.opcode != Opcode::Brx;
}

const std::string* name_in(const Operand& operand) {
  const auto* address = operand.as<AddressOperand>();
  const auto* symbol = address ? std::get_if<SymbolOperand>(&address->base) : operand.as<SymbolOperand>();
  return symbol ? &symbol->name : nullptr;
}

void collect(const Module& module, const Function& function, Functions& found) {
  for (const Instruction& instruction : function.body) {
    if (!names_addresses(instruction)) continue;
    for (const Operand& whole : instruction.operands)
      walk(whole, [&](const Operand& operand) {
        if (const std::string* name = name_in(operand)) found.insert(module.find_function(*name));
      });
  }
  for (const auto& [label, names] : function.call_targets)
    for (const std::string& name : names) found.insert(module.find_function(name));
}

}  // namespace

std::vector<const Function*> functions_with_addresses(const Module& module) {
  Functions found;
  for (const Variable& variable : module.variables)
    for (const Relocation& relocation : variable.relocations) found.insert(module.find_function(relocation.symbol));
  for (const Function& function : module.functions) collect(module, function, found);
  std::vector<const Function*> all;
  for (const Function& function : module.functions)
    if (!function.is_entry && found.contains(&function)) all.push_back(&function);
  return all;
}

}  // namespace warpfork::ptx
