#include "ptx/function_addresses.h"

#include <set>
#include <string>

#include "ptx/operand_walk.h"

namespace warpfork::ptx {

namespace {

using Names = std::set<std::string, std::less<>>;

/// Names of a call are those of its callee and of its prototype or table, those of an indexed branch that of its table.
bool names_addresses(const Instruction& instruction) {
  return instruction.opcode != Opcode::Call && instruction.opcode != Opcode::Brx;
}

void collect(const Function& function, Names& names) {
  for (const Instruction& instruction : function.body) {
    if (!names_addresses(instruction)) continue;
    for (const Operand& whole : instruction.operands)
      walk(whole, [&](const Operand& operand) {
        if (const std::string* name = symbol_name(operand)) names.insert(*name);
      });
  }
  for (const auto& [label, targets] : function.call_targets) names.insert(targets.begin(), targets.end());
}

}  // namespace

std::vector<const Function*> functions_with_addresses(const Module& module) {
  Names names;
  for (const Variable& variable : module.variables)
    for (const Relocation& relocation : variable.relocations) names.insert(relocation.symbol);
  for (const Function& function : module.functions) collect(function, names);
  for (const auto& [alias, function] : module.aliases)
    if (names.erase(alias) != 0) names.insert(function);
  std::vector<const Function*> all;
  for (const Function& function : module.functions)
    if (names.contains(function.name)) all.push_back(&function);
  return all;
}

}  // namespace warpfork::ptx
