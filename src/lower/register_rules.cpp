#include "lower/register_rules.h"

#include <algorithm>

#include "base/error.h"
#include "lower/allocation_check.h"
#include "lower/code_motion.h"
#include "lower/narrowing.h"

namespace warpfork::lower {

namespace {

bool bounds_threads(const ptx::Function& function) {
  return function.max_threads != 0 || function.required_threads.count() != 0;
}

unsigned rounded_down(unsigned registers, const RegisterRules& rules) {
  return registers / rules.granularity * rules.granularity;
}
unsigned rounded_up(unsigned registers, const RegisterRules& rules) {
  return rounded_down(registers + rules.granularity - 1, rules);
}

/// Registers of a warp, so many that the blocks which .minnctapersm asks for fit into a core; at least one must.
unsigned share_of_warp(const ptx::Function& function, const RegisterRules& rules) {
  const std::uint64_t required = function.required_threads.count();
  const std::uint64_t threads = required != 0 ? required : function.max_threads;
  const std::uint64_t warps = (threads + rules.warp_size - 1) / rules.warp_size;
  const std::uint64_t of_lane = (std::max(function.min_blocks, 1u) * warps + rules.lanes - 1) / rules.lanes;
  return static_cast<unsigned>(rules.of_core / rules.lanes / of_lane);
}

std::vector<RegisterFile> files_of(const ptx::Function& function, const analysis::UniformityOptions& options) {
  const analysis::ControlFlowGraph graph(function);
  const analysis::Postdominators postdominators(graph);
  const analysis::Liveness liveness(function, graph);
  const analysis::Uniformity uniformity(function, graph, postdominators, liveness, options);
  std::vector<RegisterFile> files(function.registers.size(), RegisterFile::Vector);
  uniformity.scalar_registers().for_each([&](ptx::RegisterId id) { files[id] = RegisterFile::Scalar; });
  return files;
}

RegisterAllocation place_in(ptx::Function& function, const RegisterRules& rules,
                            const std::optional<analysis::UniformityOptions>& scalars, unsigned limit) {
  AllocationOptions options;
  options.limit = limit;
  if (!rules.as_written) shorten_lives(function, std::min(limit, enough_registers(rules)));
  if (scalars && scalars->rule == analysis::ScalarRule::DivergentAtOnce) options.sides = SideOrder::AtOnce;
  const std::vector<RegisterFile> files = scalars ? files_of(function, *scalars) : std::vector<RegisterFile>();
  RegisterAllocation allocation = allocate_registers(function, files, options);
  const std::string fault = allocation_fault(function, allocation, options.sides);
  check(fault.empty(), [&] { return "registers of kernel '" + function.name + "': " + fault; });
  return allocation;
}

}  // namespace

unsigned register_limit(const ptx::Function& function, const RegisterRules& rules) {
  unsigned limit = RegisterPlace::kNowhere;
  if (rules.of_thread != 0) limit = std::min(limit, rules.of_thread);
  if (function.max_registers != 0) limit = std::min(limit, function.max_registers);
  if (rules.of_core != 0 && bounds_threads(function))
    limit = std::min(limit, rounded_down(share_of_warp(function, rules) / rules.warp_size, rules));
  return limit;
}

unsigned enough_registers(const RegisterRules& rules) {
  return rules.threads == 0 ? 0 : rules.of_core / rules.threads / rules.granularity * rules.granularity;
}

std::optional<RegisterAllocation> place_registers(ptx::Function& function, const RegisterRules& rules,
                                                  const std::optional<analysis::UniformityOptions>& scalars) {
  if (!rules.allocate) return std::nullopt;
  narrow_registers(function);
  unsigned limit = register_limit(function, rules);
  if (!scalars || !rules.scalars_beside || rules.of_core == 0 || !bounds_threads(function))
    return place_in(function, rules, scalars, limit);
  const ptx::Function narrowed = function;
  const unsigned share = share_of_warp(function, rules);
  while (true) {
    const RegisterAllocation allocation = place_in(function, rules, scalars, limit);
    const unsigned vectors = rounded_up(allocation.vector_registers, rules);
    const unsigned beside = rounded_up(allocation.scalar_registers, rules);
    if (vectors * rules.warp_size + beside <= share || beside >= share) return allocation;
    limit = std::min(rounded_down((share - beside) / rules.warp_size, rules), vectors - rules.granularity);
    function = narrowed;
  }
}

}  // namespace warpfork::lower
