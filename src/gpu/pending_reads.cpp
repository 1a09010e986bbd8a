#include "gpu/pending_reads.h"

#include <algorithm>

#include "analysis/register_use.h"

namespace warpfork::gpu {

namespace {

template <class Places>
std::uint64_t modulo_64(const Places& places) {
  std::uint64_t signature = 0;
  places.for_each([&](unsigned place) { signature |= std::uint64_t{1} << place % 64; });
  return signature;
}

}  // namespace

void PendingReads::begin_kernel(const simt::Program& program, bool watched) {
  code_.clear();
  few_places_ = true;
  if (!watched) return;
  const auto places = [&](const std::vector<ptx::RegisterId>& registers) {
    Places all;
    for (const ptx::RegisterId id : registers) {
      const unsigned first = program.allocation->index_of(program.allocation->places[id]);
      const unsigned units = std::max(analysis::register_units(program.function->registers[id].type), 1u);
      for (unsigned unit = first; unit < first + units; ++unit) all |= Places::single(unit % Places::kCapacity);
      few_places_ &= first + units <= 64;
    }
    return all;
  };
  for (const ptx::Instruction& instruction : program.function->body) {
    const analysis::RegisterUse use = analysis::registers_of(instruction);
    const Places reads = places(use.reads), writes = places(use.writes);
    code_.push_back({reads, writes, modulo_64(reads), modulo_64(writes)});
  }
}

bool PendingReads::hold_up(unsigned warp, Pc pc, ActiveMask lanes) const {
  const Places& writes = code_[pc].writes;
  return std::ranges::any_of(warps_[warp].readers, [&](const Reader& reader) {
    return code_[reader.pc].reads.intersects(writes) && (!lane_masks_ || reader.lanes.intersects(lanes));
  });
}

std::uint64_t PendingReads::remove(unsigned warp_slot, Pc pc, ActiveMask lanes) {
  const std::uint64_t read = code_[pc].read;
  if (read == 0) return 0;
  Warp& warp = warps_[warp_slot];
  const auto is_it = [&](const Reader& reader) { return reader.pc == pc && reader.lanes == lanes; };
  if (warp.readers.size() == 1 && is_it(warp.readers[0])) {  // as it is almost always
    warp.readers.clear();
    warp.signature = 0;
    return read;
  }
  bool found = false;
  auto kept = warp.readers.begin();
  warp.signature = 0;
  for (const Reader& reader : warp.readers) {
    if (!found && is_it(reader)) {
      found = true;
      continue;
    }
    warp.signature |= code_[reader.pc].read;
    *kept++ = reader;
  }
  warp.readers.erase(kept, warp.readers.end());
  return found ? read : 0;
}

}  // namespace warpfork::gpu
