#include "simt/symbol_table.h"

#include <set>

#include "base/aligned.h"
#include "base/error.h"
#include "lower/stack_variable.h"
#include "ptx/operand_walk.h"
#include "simt/address_map.h"

namespace warpfork::simt {

namespace {

std::uint32_t align_up(std::uint64_t value, std::uint32_t alignment) {
  return static_cast<std::uint32_t>(aligned(value, alignment == 0 ? 1 : alignment));
}

/// It tells where shared memory is reserved.
bool asks_for_reserved_memory(const ptx::Operand& operand) {
  const auto* special = operand.as<ptx::SpecialRegisterOperand>();
  return special != nullptr && special->name >= ptx::SpecialRegister::ReservedSmemOffsetBegin &&
         special->name <= ptx::SpecialRegister::ReservedSmemOffset1;
}

/// A shared variable whose size the launch gives.
bool is_dynamic(const ptx::Variable& variable) {
  return variable.space == ptx::StateSpace::Shared && variable.bytes == 0;
}

}  // namespace

SymbolTable::SymbolTable(const ptx::Module& module, const ptx::Function& function, const DeviceSymbols& device)
    : device_(&device) {
  const std::vector<std::uint64_t> offsets = function.parameter_offsets();
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    symbols_[function.parameters[i].name] = {MemorySpace::Param, offsets[i]};

  std::set<std::string, std::less<>> used;
  for (const ptx::Instruction& instruction : function.body)
    for (const ptx::Operand& whole : instruction.operands)
      ptx::walk(whole, [&](const ptx::Operand& operand) {
        if (const std::string* name = ptx::symbol_name(operand)) used.insert(*name);
        if (asks_for_reserved_memory(operand)) reserved_shared_bytes_ = kReservedSharedBytes;
      });
  shared_bytes_ = reserved_shared_bytes_;
  std::vector<const ptx::Variable*> dynamic;
  const ptx::Variable* stack = nullptr;
  const auto visit = [&](const ptx::Variable& variable) {
    if (is_dynamic(variable))
      dynamic.push_back(&variable);
    else if (variable.name == lower::kStackVariable)
      stack = &variable;
    else
      place(variable);
  };
  for (const ptx::Variable& variable : function.variables) visit(variable);
  for (const ptx::Variable& variable : module.variables)
    if (used.contains(variable.name)) visit(variable);
  if (stack != nullptr) place(*stack);

  // All dynamic arrays start at the same place, behind the static ones.
  for (const ptx::Variable* variable : dynamic) shared_bytes_ = align_up(shared_bytes_, variable->alignment);
  for (const ptx::Variable* variable : dynamic) symbols_[variable->name] = {MemorySpace::Shared, shared_bytes_};
}

void SymbolTable::place(const ptx::Variable& variable) {
  const bool shared = variable.space == ptx::StateSpace::Shared;
  if (!shared && variable.space != ptx::StateSpace::Local) return;
  std::uint32_t& bytes = shared ? shared_bytes_ : local_bytes_;
  const std::uint64_t start = align_up(bytes, variable.alignment);
  const std::uint64_t limit = shared ? kSharedWindow.bytes() : kLocalWindow.bytes();
  if (start + variable.bytes > limit)
    throw Error("variable '{}' of {} bytes does not fit into the {} window of {} bytes", variable.name, variable.bytes,
                ptx::to_string(variable.space), limit);
  const MemorySpace space = shared ? MemorySpace::Shared : MemorySpace::Local;
  symbols_[variable.name] = {space, start};
  bytes = static_cast<std::uint32_t>(start + variable.bytes);
  pad(space, start, bytes, variable.alignment);
}

/// A variable takes [start, end): what of the last padding it takes is none, and its own reaches to its alignment.
void SymbolTable::pad(MemorySpace space, std::uint64_t start, std::uint64_t end, std::uint32_t alignment) {
  for (Padding& before : padding_)
    if (before.space == space && before.end > start) before.end = static_cast<std::uint32_t>(start);
  if (const std::uint32_t room = align_up(end, alignment); room != end)
    padding_.push_back({space, static_cast<std::uint32_t>(end), room});
}

std::optional<PlacedSymbol> SymbolTable::find(std::string_view name) const {
  if (const auto found = symbols_.find(name); found != symbols_.end()) return found->second;
  if (const auto found = device_->find(name); found != device_->end()) return found->second;
  return std::nullopt;
}

std::uint64_t SymbolTable::generic_address(const PlacedSymbol& symbol) {
  switch (symbol.space) {
    case MemorySpace::Shared:
      return symbol.address + kSharedWindow.begin;
    case MemorySpace::Local:
      return symbol.address + kLocalWindow.begin;
    case MemorySpace::Param:
      return symbol.address + kParamWindow.begin;
    default:
      return symbol.address;
  }
}

}  // namespace warpfork::simt
