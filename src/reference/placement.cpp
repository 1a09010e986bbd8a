#include "reference/placement.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/aligned.h"
#include "base/error.h"
#include "ptx/function_addresses.h"
#include "simt/address_map.h"
#include "simt/function_addresses.h"
#include "simt/loaded_module.h"

namespace warpfork::reference {

std::uint64_t generic_address(const Place& place) {
  switch (place.space) {
    case ptx::StateSpace::Shared:
      return simt::kSharedWindow.begin + place.address;
    case ptx::StateSpace::Local:
      return simt::kLocalWindow.begin + place.address;
    case ptx::StateSpace::Param:
      return simt::kParamWindow.begin + place.address;
    default:
      return place.address;
  }
}

Place resolve_generic(std::uint64_t address) {
  if (address < simt::kSharedWindow.begin || address >= simt::kParamWindow.end)
    return {ptx::StateSpace::Global, address};
  if (address < simt::kSharedWindow.end) return {ptx::StateSpace::Shared, address - simt::kSharedWindow.begin};
  if (address < simt::kLocalWindow.end) return {ptx::StateSpace::Local, address - simt::kLocalWindow.begin};
  return {ptx::StateSpace::Param, address - simt::kParamWindow.begin};
}

Placement::Placement(const ptx::Module& module, simt::DeviceMemory& memory) : module_(module), memory_(memory) {
  place_functions();
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space == ptx::StateSpace::Shared) place_in_shared_memory("", variable);
    if (variable.space == ptx::StateSpace::Global || variable.space == ptx::StateSpace::Const)
      place_in_device_memory(variable);
  }
  for (const ptx::Function& function : module.functions)
    for (const ptx::Variable& variable : function.variables)
      if (variable.space == ptx::StateSpace::Shared) place_in_shared_memory(function.name, variable);
  for (auto& [name, place] : places_)  // dynamic shared memory begins where the static part ends
    if (place.space == ptx::StateSpace::Shared && place.address == ~std::uint64_t{0})
      place.address = aligned(shared_bytes_, 16);
  for (const ptx::Variable& variable : module.variables) fill(variable);
}

void Placement::place_functions() {
  const std::uint64_t code = memory_.place_code(ptx::functions_with_addresses(module_).size());
  for (const auto& [name, address] : simt::function_addresses(module_, code)) {
    places_[{"", name}] = {ptx::StateSpace::Generic, address};
    functions_[address] = module_.find_function(name);
  }
}

const ptx::Function* Placement::function_at(std::uint64_t address) const {
  const auto found = functions_.find(address);
  return found == functions_.end() ? nullptr : found->second;
}

void Placement::place_in_device_memory(const ptx::Variable& variable) {
  if (variable.is_extern) return;  // refused where it is used
  const std::uint64_t room = aligned(simt::device_bytes(variable), variable.alignment);
  const std::uint64_t address = memory_.allocate(room, variable.name);
  places_[{"", variable.name}] = {variable.space, address};
}

void Placement::place_in_shared_memory(const std::string& scope, const ptx::Variable& variable) {
  if (variable.bytes == 0) {
    places_[{scope, variable.name}] = {variable.space, ~std::uint64_t{0}};
    return;
  }
  const std::uint64_t offset = aligned(shared_bytes_, variable.alignment);
  places_[{scope, variable.name}] = {variable.space, offset};
  shared_bytes_ = static_cast<std::uint32_t>(offset + variable.bytes);
  shared_room_ = std::max(shared_room_, static_cast<std::uint32_t>(aligned(shared_bytes_, variable.alignment)));
}

void Placement::fill(const ptx::Variable& variable) {
  const auto found = places_.find({"", variable.name});
  if (found == places_.end() || variable.space == ptx::StateSpace::Shared) return;
  std::byte* bytes = memory_.find(found->second.address, variable.bytes);
  if (!variable.initial.empty()) std::memcpy(bytes, variable.initial.data(), variable.initial.size());
  for (const ptx::Relocation& relocation : variable.relocations) {
    const auto target = places_.find({"", relocation.symbol});
    if (target == places_.end())
      throw Error("{}: error: the address of '{}' in an initialiser is not supported", module_.name, relocation.symbol);
    const Place place = target->second;
    std::uint64_t address = relocation.generic ? generic_address(place) : place.address;
    address = (address + static_cast<std::uint64_t>(relocation.addend)) & relocation.mask;
    address >>= std::countr_zero(relocation.mask);
    std::memcpy(bytes + relocation.offset, &address, ptx::bytes_of(variable.type));
  }
}

const Place* Placement::find(const ptx::Function& function, const std::string& name) const {
  for (const std::string& scope : {function.name, std::string()}) {
    const auto found = places_.find({scope, name});
    if (found != places_.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace warpfork::reference
