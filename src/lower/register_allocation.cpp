#include "lower/register_allocation.h"

#include "base/error.h"
#include "lower/colouring.h"
#include "lower/spilling.h"

namespace warpfork::lower {

namespace {

/// With an entry for each register, those that spilling has added among them.
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
  const auto first_temporary = static_cast<ptx::RegisterId>(function.registers.size());
  std::vector<SpilledRegister> spilled;
  for (;;) {
    const analysis::ControlFlowGraph graph(function);
    const analysis::Liveness liveness(function, graph);
    const std::vector<RegisterFile> files = files_of(function, given);
    const InterferenceGraph interference(function, graph, liveness, files, options.sides);
    const std::vector<MovePair> moves = options.coalesce ? move_pairs(function) : std::vector<MovePair>();
    const std::vector<ptx::RegisterId> order = colouring_order(function, liveness, interference, options.order);
    RegisterAllocation allocation = colour(function, interference, files, order, moves);
    if (allocation.vector_registers <= options.limit) {
      if (!spilled.empty()) allocation.spill_bytes = spilled.back().offset + spilled.back().bytes;
      allocation.spilled = std::move(spilled);
      return allocation;
    }
    const std::vector<ptx::RegisterId> chosen =
        choose_spills(function, graph, liveness, interference, allocation, options.limit, first_temporary);
    if (chosen.empty())
      throw Error(
          "kernel '{}' needs {} registers even with all values in local memory; {} are allowed\n"
          "  raise the kernel's .maxnreg or core.registers_per_thread_limit",
          function.name, allocation.vector_registers, options.limit);
    spill(function, chosen, spilled);
  }
}

}  // namespace warpfork::lower
