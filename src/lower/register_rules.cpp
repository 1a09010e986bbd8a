#include "lower/register_rules.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "lower/allocation_check.h"
#include "lower/code_motion.h"
#include "lower/narrowing.h"

namespace warpfork::lower {

namespace {

constexpr unsigned kUnbounded = std::numeric_limits<unsigned>::max();

unsigned rounded_down(unsigned registers, const RegisterRules& rules) {
  return registers / rules.granularity * rules.granularity;
}
unsigned rounded_up(unsigned registers, const RegisterRules& rules) {
  return rounded_down(registers + rules.granularity - 1, rules);
}

/// Registers of a warp, so many that the blocks which .minnctapersm asks for fit into a core; at least one must.
/// kUnbounded where the kernel's threads or the core's registers are.
unsigned share_of_warp(const ptx::Function& function, const RegisterRules& rules) {
  const std::uint64_t required = function.required_threads.count();
  const std::uint64_t bound = required != 0 ? required : function.max_threads;
  const std::uint64_t threads = bound != 0 ? bound : rules.block_threads;
  if (threads == 0 || rules.of_core == 0) return kUnbounded;
  const std::uint64_t warps = (threads + rules.warp_size - 1) / rules.warp_size;
  const std::uint64_t blocks = bound != 0 ? std::max(function.min_blocks, 1u) : 1;
  const std::uint64_t of_lane = (blocks * warps + rules.lanes - 1) / rules.lanes;
  return static_cast<unsigned>(rules.of_core / rules.lanes / of_lane);
}

std::vector<RegisterFile> files_of(const ptx::Function& function, const analysis::UniformityOptions& options) {
  const analysis::ControlFlowGraph graph(function);
  const analysis::Liveness liveness(function, graph);
  const analysis::Uniformity uniformity(function, graph, liveness, options);
  std::vector<RegisterFile> files(function.registers.size(), RegisterFile::Vector);
  uniformity.scalar_registers().for_each([&](ptx::RegisterId id) { files[id] = RegisterFile::Scalar; });
  return files;
}

/// With at most so many registers of a thread.
RegisterAllocation place_within(ptx::Function& function, const RegisterRules& rules,
                                const std::optional<analysis::UniformityOptions>& scalars, unsigned limit) {
  AllocationOptions options;
  options.limit = limit;
  if (!rules.as_written) shorten_lives(function, std::min(limit, enough_registers(rules)));
  if (scalars && scalars->rule == analysis::ScalarRule::DivergentAtOnce) options.sides.at_once = true;
  if (scalars) options.sides.leavers = scalars->leavers;
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
  return std::min(limit, rounded_down(share_of_warp(function, rules) / rules.warp_size, rules));
}

unsigned enough_registers(const RegisterRules& rules) {
  return rules.threads == 0 ? 0 : rounded_down(rules.of_core / rules.threads, rules);
}

std::optional<RegisterAllocation> place_registers(ptx::Function& function, const RegisterRules& rules,
                                                  const std::optional<analysis::UniformityOptions>& scalars) {
  if (!rules.allocate) return std::nullopt;
  narrow_registers(function);
  unsigned limit = register_limit(function, rules);
  const unsigned share = share_of_warp(function, rules);
  if (!scalars || !rules.scalars_beside || share == kUnbounded) return place_within(function, rules, scalars, limit);
  const ptx::Function narrowed = function;
  while (true) {
    const RegisterAllocation allocation = place_within(function, rules, scalars, limit);
    const unsigned vectors = rounded_up(allocation.vector_registers, rules);
    const unsigned beside = rounded_up(allocation.scalar_registers, rules);
    if (vectors * rules.warp_size + beside <= share || beside >= share) return allocation;
    limit = std::min(rounded_down((share - beside) / rules.warp_size, rules), vectors - rules.granularity);
    function = narrowed;
  }
}

}  // namespace warpfork::lower
