#include "lower/register_allocation.h"

#include "base/error.h"
#include "lower/colouring.h"
#include "lower/spilling.h"

namespace warpfork::lower {

namespace {

/// With an entry for each register.
std::vector<RegisterFile> files_of(const ptx::Function& function, std::span<const RegisterFile> given) {
  std::vector<RegisterFile> files(given.begin(), given.end());
  files.resize(function.registers.size(), RegisterFile::Vector);
  for (ptx::RegisterId id = 0; id < files.size(); ++id)
    if (function.registers[id].type == ptx::ScalarType::Pred) files[id] = RegisterFile::Predicate;
  return files;
}

}  // namespace

RegisterAllocation allocate_registers(ptx::Function& function, std::span<const RegisterFile> given,
                                      const AllocationOptions& options) {
  const analysis::ControlFlowGraph graph(function);
  const analysis::Liveness liveness(function, graph);
  std::vector<RegisterFile> files = files_of(function, given);
  InterferenceGraph interference(function, graph, liveness, files, options.sides);
  const std::vector<Pc> moves = options.coalesce ? copies(function) : std::vector<Pc>();
  const auto coloured = [&](std::vector<ptx::RegisterId> used) {
    const auto order = colouring_order(function, interference, std::move(used), options.order);
    return colour(function, interference, files, order, move_pairs(function, moves));
  };
  RegisterAllocation allocation = coloured(by_appearance(function, liveness));
  if (allocation.vector_registers <= options.limit) return allocation;
  Spilling spilling(function, graph, liveness, files, interference);
  while (allocation.vector_registers > options.limit) {
    const std::vector<ptx::RegisterId> chosen = spilling.choose(allocation, options.limit);
    if (chosen.empty())
      throw Error(
          "kernel '{}' needs {} registers even with all values in local memory; {} are allowed\n"
          "  raise the kernel's .maxnreg or core.registers_per_thread_limit",
          function.name, allocation.vector_registers, options.limit);
    spilling.spill(chosen);
    files.resize(function.registers.size(), RegisterFile::Vector);
    allocation = coloured(spilling.by_appearance());
  }
  allocation.spilled = spilling.write();
  allocation.spill_bytes = allocation.spilled.back().offset + allocation.spilled.back().bytes;
  return allocation;
}

}  // namespace warpfork::lower
