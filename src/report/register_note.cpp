#include "report/register_note.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace warpfork::report {

namespace {

unsigned lost_blocks(const OccupancyCount& occupancy) {
  const unsigned fit = occupancy.blocks_per_core, without = occupancy.blocks_without_registers;
  return without > fit ? without - fit : 0;
}

std::string limit_note(const OccupancyCount& occupancy) {
  return fmt::format(
      "  registers   {} a thread leave room for {} on a core, of {}. They are those alive at once in the PTX;\n"
      "              an allocator may need half as many: --set core.registers_per_thread=N (ptxas -v reports N)\n",
      occupancy.registers_per_thread, counted(occupancy.blocks_per_core, "block"), occupancy.blocks_without_registers);
}

std::string local_memory_note(const OccupancyCount& occupancy) {
  return fmt::format(
      "  registers   {} bytes of each thread are spilled to local memory: a thread can have {} registers\n",
      occupancy.spilled_bytes, occupancy.registers_per_thread);
}

std::string fitted_note(const OccupancyCount& occupancy) {
  return fmt::format(
      "  registers   with more than {} a thread no block fits on a core; --set core.registers=N makes room for more\n",
      occupancy.registers_per_thread);
}

std::string allocation_note(const OccupancyCount& occupancy) {
  return fmt::format("  registers   {} a thread, as allocated, leave room for {} on a core, of {}.\n",
                     occupancy.registers_per_thread, counted(occupancy.blocks_per_core, "block"),
                     occupancy.blocks_without_registers);
}

std::string spill_note(const OccupancyCount& occupancy) {
  return fmt::format(
      "  registers   {} are alive at once in the PTX, more than the {} that a thread can have: ptxas would have\n"
      "              spilled some to local memory, which is not simulated\n",
      occupancy.live_registers, occupancy.registers_per_thread);
}

}  // namespace

std::string register_note(std::span<const LaunchRecord> launches) {
  if (launches.empty()) return "";
  const auto lost = [](const LaunchRecord& launch) { return lost_blocks(launch.occupancy); };
  const auto spilled = [](const LaunchRecord& launch) { return launch.occupancy.spilled_bytes; };
  const OccupancyCount& worst = std::ranges::max_element(launches, {}, lost)->occupancy;
  const OccupancyCount& spiller = std::ranges::max_element(launches, {}, spilled)->occupancy;
  std::string note;
  if (spiller.spilled_bytes != 0) note += local_memory_note(spiller);
  const auto is_fitted = [](const LaunchRecord& launch) { return launch.occupancy.registers_fitted != 0; };
  const auto fitted = std::ranges::find_if(launches, is_fitted);
  if (fitted != launches.end()) note += fitted_note(fitted->occupancy);
  if (worst.registers_from == "limit") return note + spill_note(worst);
  if (worst.registers_from == "machine" || lost_blocks(worst) == 0) return note;
  return note + (worst.registers_from == "allocation" ? allocation_note(worst) : limit_note(worst));
}

}  // namespace warpfork::report
