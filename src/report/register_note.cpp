#include "report/register_note.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpfork::report {

namespace {

unsigned lost_blocks(const OccupancyCount& occupancy) {
  const unsigned fit = occupancy.blocks_per_core, without = occupancy.blocks_without_registers;
  return without > fit ? without - fit : 0;
}

std::string limit_note(const OccupancyCount& occupancy) {
  return fmt::format(
      "  registers   {} a thread leave room for {} blocks on a core, of {}. They are those alive at once in the PTX;\n"
      "              an allocator may need half as many: --set core.registers_per_thread=N (ptxas -v reports N)\n",
      occupancy.registers_per_thread, occupancy.blocks_per_core, occupancy.blocks_without_registers);
}

std::string allocation_note(const OccupancyCount& occupancy) {
  return fmt::format("  registers   {} a thread, as allocated, leave room for {} blocks on a core, of {}.\n",
                     occupancy.registers_per_thread, occupancy.blocks_per_core, occupancy.blocks_without_registers);
}

std::string spill_note(const OccupancyCount& occupancy) {
  return fmt::format(
      "  registers   {} are alive at once in the PTX, more than the {} that a thread can have: ptxas would have\n"
      "              spilled some to local memory, which is not simulated\n",
      occupancy.live_registers, occupancy.registers_per_thread);
}

}  // namespace

std::string register_note(std::span<const LaunchRecord> launches) {
  const auto worst =
      std::ranges::max_element(launches, {}, [](const LaunchRecord& launch) { return lost_blocks(launch.occupancy); });
  if (worst == launches.end() || worst->occupancy.registers_from == "machine") return "";
  if (worst->occupancy.registers_from == "limit") return spill_note(worst->occupancy);
  if (lost_blocks(worst->occupancy) == 0) return "";
  return worst->occupancy.registers_from == "allocation" ? allocation_note(worst->occupancy)
                                                         : limit_note(worst->occupancy);
}

}  // namespace warpfork::report
