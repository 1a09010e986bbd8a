#include "gpu/hazard_table.h"

#include <algorithm>

#include "analysis/register_use.h"
#include "gpu/lane_organisation.h"
#include "gpu/scoreboard.h"

namespace warpfork::gpu {

namespace {

template <class Places>
std::uint64_t modulo_64(const Places& places) {
  std::uint64_t bits = 0;
  places.for_each([&](unsigned place) { bits |= std::uint64_t{1} << place % 64; });
  return bits;
}

}  // namespace

HazardTable::HazardTable(const CoreSpec& spec, const simt::Program& program)
    : code_(program.code.data()),
      watches_reads_(program.allocation && !find_lane_organisation(spec.lanes.organisation).temporal) {
  for (const simt::Instruction& instruction : program.code) {
    has_few_registers_ &= Scoreboard::has_bits_of_its_own(instruction);
    most_destinations_ = std::max<unsigned>(most_destinations_, instruction.destination_count);
    uses_.push_back({Scoreboard::touched(instruction), Scoreboard::written(instruction), 0,
                     Scoreboard::room_beside(spec.scoreboard_entries, instruction.destination_count)});
  }
  if (watches_reads_) add_places(program);
}

void HazardTable::add_places(const simt::Program& program) {
  const auto places = [&](const std::vector<ptx::RegisterId>& registers) {
    Places all;
    for (const ptx::RegisterId id : registers) {
      const unsigned first = program.allocation->index_of(program.allocation->places[id]);
      const unsigned units = std::max(analysis::register_units(program.function->registers[id].type), 1u);
      for (unsigned unit = first; unit < first + units; ++unit) all |= Places::single(unit % Places::kCapacity);
      has_few_places_ &= first + units <= 64;
    }
    return all;
  };
  for (const ptx::Instruction& instruction : program.function->body) {
    const analysis::RegisterUse use = analysis::registers_of(instruction);
    places_.push_back({places(use.reads), places(use.writes)});
    uses_[reads_.size()].overwritten = modulo_64(places_.back().writes);
    reads_.push_back(modulo_64(places_.back().reads));
  }
}

}  // namespace warpfork::gpu
