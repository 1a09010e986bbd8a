// Where a module's variables lie (PTX ISA, "State Spaces"), and the generic address windows (PTX ISA, "Generic
// Addressing").
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "ptx/module.h"
#include "simt/device_memory.h"

namespace warpfork::reference {

/// A byte in a state space: a device address (global, const), else an offset in the block's shared memory, the thread's
/// local memory or its parameters.
struct Place {
  ptx::StateSpace space = ptx::StateSpace::Generic;
  std::uint64_t address = 0;
};

/// The generic address of a place, and back; device addresses stand for themselves.
std::uint64_t generic_address(const Place& place);
Place resolve_generic(std::uint64_t address);

/// Functions where simt has them; module variables in device memory, in declaration order; shared variables of the
/// module and of all its functions one after another, then the dynamic shared memory.
class Placement {
 public:
  Placement(const ptx::Module& module, simt::DeviceMemory& memory);

  /// A module-scope variable, a shared one of `function`, or a function; null if the name is none of them.
  const Place* find(const ptx::Function& function, const std::string& name) const;
  /// Whose address this is; null if it is nobody's.
  const ptx::Function* function_at(std::uint64_t address) const;
  std::uint32_t static_shared_bytes() const { return shared_bytes_; }
  /// With room up to the variables' alignments, which loads may touch.
  std::uint32_t static_shared_room() const { return shared_room_; }
  const ptx::Module& module() const { return module_; }
  simt::DeviceMemory& memory() const { return memory_; }

 private:
  void place_functions();
  void place_in_device_memory(const ptx::Variable& variable);
  void place_in_shared_memory(const std::string& scope, const ptx::Variable& variable);
  void fill(const ptx::Variable& variable);

  const ptx::Module& module_;
  simt::DeviceMemory& memory_;
  std::uint32_t shared_bytes_ = 0, shared_room_ = 0;
  std::map<std::pair<std::string, std::string>, Place> places_;  // by function ("" = the module) and variable
  std::map<std::uint64_t, const ptx::Function*> functions_;      // by address
};

}  // namespace warpfork::reference
