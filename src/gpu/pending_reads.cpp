#include "gpu/pending_reads.h"

#include <algorithm>

#include "analysis/register_use.h"

namespace warpfork::gpu {

void PendingReads::begin_kernel(const simt::Program& program, bool watched) {
  code_.clear();
  if (!watched) return;
  const auto places = [&](const std::vector<ptx::RegisterId>& registers) {
    Places all;
    for (const ptx::RegisterId id : registers) {
      const unsigned first = program.allocation->index_of(program.allocation->places[id]);
      const unsigned units = std::max(analysis::register_units(program.function->registers[id].type), 1u);
      for (unsigned unit = first; unit < first + units; ++unit) all |= Places::single(unit % Places::kCapacity);
    }
    return all;
  };
  for (const ptx::Instruction& instruction : program.function->body) {
    const analysis::RegisterUse use = analysis::registers_of(instruction);
    code_.push_back({places(use.reads), places(use.writes)});
  }
}

bool PendingReads::hold_up(unsigned warp, Pc pc, ActiveMask lanes) const {
  const Places& writes = code_[pc].writes;
  return std::ranges::any_of(warps_[warp], [&](const Reader& reader) {
    return code_[reader.pc].reads.intersects(writes) && (!lane_masks_ || reader.lanes.intersects(lanes));
  });
}

void PendingReads::add(unsigned warp, Pc pc, ActiveMask lanes) {
  if (code_[pc].reads.none()) return;
  warps_[warp].push_back({pc, lanes});
  ++count_;
}

bool PendingReads::remove(unsigned warp, Pc pc, ActiveMask lanes) {
  std::vector<Reader>& readers = warps_[warp];
  const auto found =
      std::ranges::find_if(readers, [&](const Reader& reader) { return reader.pc == pc && reader.lanes == lanes; });
  if (found == readers.end()) return false;
  readers.erase(found);
  --count_;
  return true;
}

}  // namespace warpfork::gpu
