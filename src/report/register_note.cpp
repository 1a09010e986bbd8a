#include "report/register_note.h"

#include <fmt/format.h>

#include <cstdint>

namespace warpfork::report {

namespace {

std::uint64_t lost_blocks(const Json& occupancy) {
  const auto fit = occupancy["blocks_per_core"].get<std::uint64_t>();
  const auto without = occupancy["blocks_without_registers"].get<std::uint64_t>();
  return without > fit ? without - fit : 0;
}

std::string limit_note(const Json& occupancy) {
  return fmt::format(
      "  registers   {} a thread leave room for {} blocks on a core, of {}. They are those alive at once in the PTX;\n"
      "              an allocator may need half as many: --set core.registers_per_thread=N (ptxas -v reports N)\n",
      occupancy["registers_per_thread"].get<std::uint64_t>(), occupancy["blocks_per_core"].get<std::uint64_t>(),
      occupancy["blocks_without_registers"].get<std::uint64_t>());
}

std::string spill_note(const Json& occupancy) {
  return fmt::format(
      "  registers   {} are alive at once in the PTX, more than the {} that a thread can have: ptxas would have\n"
      "              spilled some to local memory, which is not simulated\n",
      occupancy["live_registers"].get<std::uint64_t>(), occupancy["registers_per_thread"].get<std::uint64_t>());
}

}  // namespace

std::string register_note(const Json& launches) {
  const Json* worst = nullptr;  // the launch that loses most blocks
  for (const Json& launch : launches) {
    const Json& occupancy = launch["occupancy"];
    if (!worst || lost_blocks(occupancy) > lost_blocks(*worst)) worst = &occupancy;
  }
  if (!worst || (*worst)["registers_from"] == "machine") return "";
  if ((*worst)["registers_from"] == "limit") return spill_note(*worst);
  return lost_blocks(*worst) > 0 ? limit_note(*worst) : "";
}

}  // namespace warpfork::report
