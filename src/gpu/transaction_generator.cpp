#include "gpu/transaction_generator.h"

#include "simt/address_map.h"

namespace warpfork::gpu {

using simt::MemoryAccess;
using simt::MemorySpace;

void TransactionGenerator::generate(InFlight& record, const MemoryAccess& access, std::span<const HomeLanes> homes,
                                    unsigned first_warp) const {
  record.space = access.space;
  const std::span<Transaction> segments = record.extra->transaction;
  unsigned count = 0;
  switch (access.space) {
    case MemorySpace::Shared:
      if (by_thread_) {
        record.executed.for_each(
            [&](unsigned lane) { record.extra->transaction[lane].address = access.address[lane]; });
        return;
      }
      record.rounds =
          static_cast<std::uint16_t>(memory::bank_conflict_rounds(access.address, access.lanes, spec_.shared.banks));
      return;
    case MemorySpace::Const:
      count = memory::coalesce_lines(access.address, access.lanes, spec_.constant.line_bytes, segments);
      break;
    case MemorySpace::Param:
      count = memory::coalesce_lines(access.address, access.lanes, spec_.constant.line_bytes, segments);
      for (Transaction& line : segments.first(count)) line.address += simt::kParameters.begin;
      break;
    case MemorySpace::Local:
      count = memory::coalesce(local_addresses(record.warp, access, homes, first_warp), access.lanes, access.bytes,
                               spec_.l1d.line_bytes, segments);
      break;
    default:
      const unsigned line_bytes = (record.instruction->read_only ? spec_.texture : spec_.l1d).line_bytes;
      count = access.is_atomic ? memory::coalesce_atomic(access.address, access.lanes, access.bytes, segments)
                               : memory::coalesce(access.address, access.lanes, access.bytes, line_bytes, segments);
  }
  record.transactions = static_cast<std::uint8_t>(count);
  if (record.instruction->kind != simt::InstructionKind::Store) record.outstanding = count;
}

/// Words of one place of all resident threads lie side by side.
TransactionGenerator::Addresses TransactionGenerator::local_addresses(unsigned warp, const MemoryAccess& access,
                                                                      std::span<const HomeLanes> homes,
                                                                      unsigned first_warp) const {
  const std::uint64_t base = simt::kLocalMemory.begin + core_ * local_bytes_;
  const std::uint64_t width = access.bytes < 4 ? 4 : access.bytes;
  std::array<unsigned, kMaxWarpSize> home;  // by lane: the warp that the thread belongs to
  home.fill(warp);
  for (const HomeLanes& part : homes) part.lanes.for_each([&](unsigned lane) { home[lane] = first_warp + part.warp; });
  Addresses address;
  access.lanes.for_each([&](unsigned lane) {
    const std::uint64_t offset = access.address[lane], within = access.bytes < 4 ? offset % 4 : 0;
    address[lane] = base + (offset - within) * spec_.threads +
                    (local_places_[home[lane]] * spec_.warp_size + lane) * width + within;
  });
  return address;
}

}  // namespace warpfork::gpu
