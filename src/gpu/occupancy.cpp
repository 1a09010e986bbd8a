#include "gpu/occupancy.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "gpu/lane_organisation.h"
#include "gpu/warp_admission.h"

namespace warpfork::gpu {

namespace {

/// The machine's limit or the kernel's own (.maxnreg), the smaller one.
unsigned register_limit(const CoreSpec& core, const simt::Program& program) {
  unsigned limit = std::numeric_limits<unsigned>::max();
  if (core.registers_per_thread_limit != 0) limit = core.registers_per_thread_limit;
  if (program.function && program.function->max_registers != 0)
    limit = std::min(limit, program.function->max_registers);
  return limit;
}

/// Of blocks that come to an empty core.
unsigned blocks_admitted(const CoreSpec& core, unsigned lanes, const Occupancy& of, unsigned threads) {
  CoreSpec unlimited = core;
  unlimited.threads = std::numeric_limits<unsigned>::max();
  WarpAdmission admission(unlimited, lanes);
  admission.begin_kernel(threads, {of.registers_per_thread, of.scalars_per_warp}, 0);
  const unsigned warps = (threads + core.warp_size - 1) / core.warp_size;
  unsigned blocks = 0;
  while (admission.fits() && (blocks + 1) * warps <= warp_slots(core)) admission.admit(blocks++ * warps);
  return blocks;
}

/// Blocks for which the registers suffice. With temporal lanes a warp's registers lie in one lane's slice of the file,
/// and the warps of the core's slots go to the lanes in turn: no lane may be asked for more than its slice
/// (STSIMT 3.7).
unsigned blocks_by_registers(const CoreSpec& core, const Occupancy& of, unsigned threads) {
  const LaneOrganisation& organisation = find_lane_organisation(core.lanes.organisation);
  if (organisation.frees_warps) return blocks_admitted(core, organisation.lanes(core), of, threads);
  const unsigned warps = (threads + core.warp_size - 1) / core.warp_size;
  const unsigned of_warp = of.registers_per_thread * core.warp_size + (organisation.temporal ? of.scalars_per_warp : 0);
  const unsigned lanes = organisation.lanes(core);
  return lanes == 0 ? core.registers / (of_warp * warps) : core.registers / lanes / of_warp * lanes / warps;
}

/// Blocks for which a scalar file of its own suffices (docs/lanes/scalar.md).
unsigned blocks_by_scalars(const CoreSpec& core, const Occupancy& of, unsigned warps) {
  const bool is_bounded = core.scalar_registers != 0 && of.scalars_per_warp != 0;
  if (!is_bounded || find_lane_organisation(core.lanes.organisation).temporal)
    return std::numeric_limits<unsigned>::max();
  return core.scalar_registers / (of.scalars_per_warp * warps);
}

}  // namespace

Occupancy occupancy(const CoreSpec& core, const simt::Program& program, unsigned threads_per_block,
                    std::uint32_t dynamic_shared_bytes) {
  Occupancy result;
  const unsigned granularity = std::max(core.register_granularity, 1u);
  const unsigned limit = register_limit(core, program);
  const bool is_set = core.registers_per_thread != 0;
  const auto rounded = [&](unsigned wanted) { return (wanted + granularity - 1) / granularity * granularity; };
  const bool has_scalars = program.scalars.rule.has_value() && !is_set;
  const unsigned live = has_scalars ? program.scalars.live_vectors : program.live_registers;
  const unsigned found = program.allocation ? program.allocation->vector_registers : std::min(live, limit);
  result.registers_from = is_set ? "machine" : program.allocation ? "allocation" : live > limit ? "limit" : "live";
  result.registers_per_thread = std::max(rounded(is_set ? core.registers_per_thread : found), granularity);
  if (has_scalars)
    result.scalars_per_warp =
        rounded(program.allocation ? program.allocation->scalar_registers : program.scalars.live_scalars);
  result.shared_bytes = program.shared_bytes(dynamic_shared_bytes);

  constexpr unsigned kNoLimit = std::numeric_limits<unsigned>::max();
  const unsigned warps = (threads_per_block + core.warp_size - 1) / core.warp_size;
  const std::array<std::pair<const char*, unsigned>, 6> limits = {{
      {"threads", core.threads / (warps * core.warp_size)},
      {"warps", core.warps / warps},
      {"blocks", core.blocks},
      {"registers", blocks_by_registers(core, result, threads_per_block)},
      {"scalars", blocks_by_scalars(core, result, warps)},
      {"shared", result.shared_bytes == 0 ? kNoLimit : core.shared.bytes / result.shared_bytes},
  }};
  result.blocks_per_core = result.blocks_without_registers = kNoLimit;
  for (const auto& [name, blocks] : limits) {
    result.blocks_per_core = std::min(result.blocks_per_core, blocks);
    if (std::string_view(name) == "registers") continue;
    result.blocks_without_registers = std::min(result.blocks_without_registers, blocks);
  }
  const bool frees_warps = find_lane_organisation(core.lanes.organisation).frees_warps;
  result.block_slots = frees_warps && result.blocks_per_core != 0 ? std::min(core.blocks, warp_slots(core) / warps)
                                                                  : result.blocks_per_core;
  for (const auto& [name, blocks] : limits)
    if (blocks == result.blocks_per_core) result.limited_by.emplace_back(name);
  return result;
}

void fill_occupancy(report::OccupancyCount& count, const MachineSpec& spec, const Occupancy& fits,
                    const simt::Launch& launch) {
  const std::uint64_t share = (launch.grid.count() + spec.cores - 1) / spec.cores;
  count.registers_per_thread = fits.registers_per_thread;
  count.scalars_per_warp = fits.scalars_per_warp;
  count.registers_from = fits.registers_from;
  count.registers_fitted = launch.program->is_fitted;
  count.live_registers = launch.program->live_registers;
  count.spilled_bytes = launch.program->allocation ? launch.program->allocation->spill_bytes : 0;
  count.shared_bytes = fits.shared_bytes;
  count.blocks_per_core = fits.blocks_per_core;
  count.blocks_without_registers = static_cast<unsigned>(std::min<std::uint64_t>(fits.blocks_without_registers, share));
  count.limited_by = fits.limited_by;
  count.max_warps = spec.core.warps;
}

}  // namespace warpfork::gpu
