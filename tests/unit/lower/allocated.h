// Kernels with their registers in places.
#pragma once

#include <stdexcept>
#include <string>

#include "lower/interference_graph.h"
#include "unit/lower/lowered.h"

namespace warpfork::lower {

inline ptx::RegisterId register_named(const ptx::Function& function, const std::string& name) {
  for (ptx::RegisterId id = 0; id < function.registers.size(); ++id)
    if (function.registers[id].name == name) return id;
  throw std::runtime_error("no register " + name);
}

/// A kernel `k` around the body (module_text()) after the passes, and what its registers are to each other.
class Allocated {
 public:
  explicit Allocated(const std::string& body, const AllocationOptions& options = {},
                     const std::vector<std::string>& scalars = {})
      : sides_(options.sides), function_(lowered(body)) {
    files_.assign(function_.registers.size(), RegisterFile::Vector);
    for (ptx::RegisterId id = 0; id < function_.registers.size(); ++id)
      if (function_.registers[id].type == ptx::ScalarType::Pred) files_[id] = RegisterFile::Predicate;
    for (const std::string& name : scalars) files_[id(name)] = RegisterFile::Scalar;
    before_ = function_;
    allocation_ = allocate_registers(function_, files_, options);
  }

  /// Before anything is spilled.
  InterferenceGraph graph() const {
    const analysis::ControlFlowGraph graph(before_);
    const analysis::Liveness liveness(before_, graph);
    return InterferenceGraph(before_, graph, liveness, files_, sides_);
  }
  bool interfere(const std::string& a, const std::string& b) const { return graph().interfere(id(a), id(b)); }
  unsigned place(const std::string& name) const { return allocation_.places[id(name)].number; }
  ptx::RegisterId id(const std::string& name) const { return register_named(function_, name); }

  const ptx::Function& function() const { return function_; }
  RegisterAllocation& allocation() { return allocation_; }

 private:
  SideOrder sides_;
  ptx::Function function_, before_;
  std::vector<RegisterFile> files_;
  RegisterAllocation allocation_;
};

}  // namespace warpfork::lower
