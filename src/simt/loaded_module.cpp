#include "simt/loaded_module.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/aligned.h"
#include "base/error.h"
#include "base/text.h"
#include "lower/literal_copies.h"
#include "lower/lower.h"
#include "lower/register_rules.h"
#include "lower/stack_variable.h"
#include "ptx/function_addresses.h"
#include "simt/decoder.h"
#include "simt/function_addresses.h"
#include "simt/image/image.h"
#include "simt/system_calls.h"

namespace warpfork::simt {

namespace {

/// Instructions of PTX, which take a tenth of a second.
constexpr std::size_t kShortModule = 5000;

/// Of an .extern variable nobody knows where it is: who uses it is refused.
bool in_device_memory(const ptx::Variable& variable) {
  return (variable.space == ptx::StateSpace::Global || variable.space == ptx::StateSpace::Const) && !variable.is_extern;
}

/// Allocates the module's variables and writes their initial contents. Each has room up to its alignment: compilers
/// load that far, as a load that is aligned cannot leave it.
ModulePlaces place(const ptx::Module& module, DeviceMemory& memory) {
  ModulePlaces places{memory.place_code(ptx::functions_with_addresses(module).size()), {}};
  for (const ptx::Variable& variable : module.variables) {
    if (!in_device_memory(variable)) continue;
    const std::uint64_t bytes = device_bytes(variable), room = aligned(bytes, variable.alignment);
    const std::uint64_t address = memory.allocate(room, variable.name);
    if (!variable.initial.empty())
      std::memcpy(memory.find(address, variable.bytes), variable.initial.data(), variable.initial.size());
    if (MemoryWatch* watch = memory.watched()) watch->write(address, room);  // zeros where nothing is said
    places.variables[variable.name] = {address, bytes};
  }
  return places;
}

DeviceSymbols symbols_of(const ptx::Module& module, const ModulePlaces& places) {
  DeviceSymbols symbols;
  for (const ptx::Variable& variable : module.variables)
    if (in_device_memory(variable))
      symbols[variable.name] = {variable.space == ptx::StateSpace::Const ? MemorySpace::Const : MemorySpace::Global,
                                places.variables.find(variable.name)->second.address};
  for (const auto& [name, address] : function_addresses(module, places.code))
    symbols[name] = {MemorySpace::None, address};
  return symbols;
}

/// Initialisers that hold addresses, or what a mask leaves of them, which are known only now.
void relocate(const ptx::Module& module, const ModulePlaces& places, const DeviceSymbols& symbols,
              DeviceMemory& memory) {
  for (const ptx::Variable& variable : module.variables)
    for (const ptx::Relocation& relocation : variable.relocations) {
      const auto found = symbols.find(relocation.symbol);
      if (found == symbols.end())
        throw Error(
            "{}:{}: error: the initial value of '{}' is the address of '{}', which has none; only .global and "
            ".const variables and functions can be named there",
            module.name, variable.location.line, variable.name, relocation.symbol);
      const std::uint64_t address = found->second.address + static_cast<std::uint64_t>(relocation.addend);
      const std::uint64_t value = (address & relocation.mask) >> std::countr_zero(relocation.mask);
      const std::size_t bytes = std::min<std::size_t>(ptx::bytes_of(variable.type), sizeof value);
      const std::uint64_t place = places.variables.at(variable.name).address + relocation.offset;
      std::memcpy(memory.find(place, bytes), &value, bytes);
    }
}

bool is_kernel(const ptx::Function& function) { return function.is_entry && !function.is_declaration; }

/// Throws Error for a variable that has no place in `memory`.
void require_variables(const ptx::Module& module, const ModulePlaces& places, DeviceMemory& memory) {
  for (const ptx::Variable& variable : module.variables) {
    if (!in_device_memory(variable)) continue;
    const auto found = places.variables.find(variable.name);
    if (found == places.variables.end() || memory.find(found->second.address, device_bytes(variable)) == nullptr)
      throw Error("{}:{}: error: variable '{}' has no place in the device's memory", module.name,
                  variable.location.line, variable.name);
  }
}

}  // namespace

std::uint64_t device_bytes(const ptx::Variable& variable) {
  const bool is_image = variable.type == ptx::ScalarType::Texref || variable.type == ptx::ScalarType::Surfref;
  return is_image ? kImageBytes : variable.bytes;
}

ptx::Function flat_code(const ptx::Module& module, const ptx::Function& entry, std::uint32_t stack_bytes) {
  const auto is_system_call = [](std::string_view name) { return find_system_call(name) != nullptr; };
  return lower::lower(module, entry, {is_system_call, stack_bytes});
}

LoadedModule::LoadedModule(ptx::Module module, DeviceMemory& memory, HostInstructionSet set, const CodeOptions& code)
    : memory_(memory),
      set_(set),
      code_(code),
      module_(std::make_unique<ptx::Module>(std::move(module))),
      places_(std::make_unique<ModulePlaces>(place(*module_, memory))),
      symbols_(symbols_of(*module_, *places_)) {
  relocate(*module_, *places_, symbols_, memory);
  decode_if_short();
}

LoadedModule::LoadedModule(ptx::Module module, const ModulePlaces& places, DeviceMemory& memory, HostInstructionSet set,
                           const CodeOptions& code)
    : memory_(memory),
      set_(set),
      code_(code),
      module_(std::make_unique<ptx::Module>(std::move(module))),
      places_(std::make_unique<ModulePlaces>(places)) {
  require_variables(*module_, places, memory);
  symbols_ = symbols_of(*module_, places);
  memory.place_code(places.code + ptx::functions_with_addresses(*module_).size());
  decode_if_short();
}

void LoadedModule::free_variables() {
  for (const auto& [name, variable] : places_->variables) memory_.free(variable.address);
  places_->variables.clear();
}

/// A stack is the last of its thread's local memory (lower/stack_variable.h), so that no address changes.
void LoadedModule::grow_stacks(std::uint32_t bytes) {
  if (bytes <= code_.stack_bytes) return;
  code_.stack_bytes = bytes;
  const auto grow = [bytes](auto& programs) {
    for (auto& [key, program] : programs)
      if (const std::uint32_t before = lower::stack_bytes_of(*program.function); before != 0)
        program.local_bytes += bytes - before;
  };
  grow(kernels_);
  grow(fitted_);
  for (const auto& function : functions_) lower::resize_stack(*function, bytes);
}

Program LoadedModule::decode_entry(const ptx::Function& entry, const CodeOptions& code) {
  functions_.push_back(std::make_unique<ptx::Function>(flat_code(*module_, entry, code.stack_bytes)));
  if (code.scalars) lower::copy_literals(*functions_.back());
  std::optional<lower::RegisterAllocation> allocation =
      lower::place_registers(*functions_.back(), code.registers, code.uniformity());
  Program program = decode(*module_, *functions_.back(), symbols_, set_, code, std::move(allocation));
  program.places = places_.get();
  program.code_place = memory_.place_code(program.code.size());
  return program;
}

void LoadedModule::decode_if_short() {
  std::size_t instructions = 0;
  for (const ptx::Function& function : module_->functions) instructions += function.body.size();
  if (instructions > kShortModule) return;
  for (const ptx::Function& function : module_->functions)
    if (is_kernel(function)) find_kernel(function);
}

/// Null if the entry cannot be executed: then refused_ says why.
const Program* LoadedModule::find_kernel(const ptx::Function& entry) {
  if (const auto found = kernels_.find(entry.name); found != kernels_.end()) return &found->second;
  if (refused_.contains(entry.name)) return nullptr;
  try {
    return &kernels_.emplace(entry.name, decode_entry(entry, code_)).first->second;
  } catch (const Error& error) {
    refused_[entry.name] = fmt::format("{}\n    kernel: {}", error.what(), entry.name);
    return nullptr;
  }
}

std::size_t LoadedModule::decode_all() {
  const std::string* first = nullptr;
  for (const ptx::Function& function : module_->functions)
    if (is_kernel(function) && find_kernel(function) == nullptr && first == nullptr) first = &refused_[function.name];
  if (first != nullptr && kernels_.empty()) {
    free_variables();
    throw RefusedKernel(*first);
  }
  return refused_.size();
}

const Program& LoadedModule::kernel(std::string_view name) {
  if (const auto found = kernels_.find(name); found != kernels_.end()) return found->second;
  const ptx::Function* const entry = module_->find_function(name);
  if (entry == nullptr || !is_kernel(*entry)) fail_without(name);
  const Program* const decoded = find_kernel(*entry);
  if (decoded == nullptr) throw RefusedKernel(refused_[entry->name]);
  return *decoded;
}

void LoadedModule::fail_without(std::string_view name) const {
  std::vector<std::string> known;
  for (const ptx::Function& function : module_->functions)
    if (is_kernel(function)) known.push_back(function.name);
  std::ranges::sort(known);
  std::string list;
  for (const std::string& near : nearest_names(name, known, 8)) list += (list.empty() ? "" : ", ") + near;
  throw Error("{}: error: there is no kernel '{}'\n    kernels of this module: {}", module_->name, name,
              list.empty() ? "none" : list);
}

const Program& LoadedModule::kernel(std::string_view name, unsigned block_threads) {
  const Program& usual = kernel(name);
  if (!usual.allocation) return usual;
  const auto [found, is_new] = fitted_.try_emplace({std::string(name), block_threads}, usual);
  if (!is_new) return found->second;
  CodeOptions code = code_;
  code.registers.block_threads = block_threads;
  try {
    found->second = decode_entry(*module_->find_function(name), code);
    found->second.is_fitted = true;
  } catch (const Error&) {  // some instruction needs more
  }
  return found->second;
}

const LoadedModule::Symbol* LoadedModule::find_symbol(std::string_view name) const {
  const auto found = places_->variables.find(name);
  return found == places_->variables.end() ? nullptr : &found->second;
}

}  // namespace warpfork::simt
