#include "gpu/table_traffic.h"

#include "simt/address_map.h"

namespace warpfork::gpu {

namespace {

/// Program counter, reconvergence pc, reconvergence mask and pending mask of 4 bytes each.
constexpr std::uint32_t kEntryBytes = 16;
/// Room for a warp's entries, at most 64.
constexpr std::uint64_t kTableBytes = 64 * kEntryBytes;
static_assert(simt::kReconvergenceTables.bytes() == 64 * WarpSlots::kCapacity * kTableBytes, "64 cores");

/// What brings an entry back is a load without a destination.
const simt::Instruction kBringBack = [] {
  simt::Instruction instruction;
  instruction.kind = simt::InstructionKind::Load;
  return instruction;
}();

}  // namespace

void TableTraffic::send(std::span<const TableMove> moves, unsigned first_warp, report::LaunchListener& listener,
                        Cycle now) {
  for (const TableMove& move : moves) {
    const unsigned warp = first_warp + move.warp;
    const std::uint64_t table = simt::kReconvergenceTables.begin + (std::uint64_t{core_} * warps_ + warp) * kTableBytes;
    MemoryRequest request{table + move.index * kEntryBytes, kEntryBytes, AccessKind::Store,
                          static_cast<std::uint16_t>(core_), warp};
    listener.table_moved({now, core_, warp}, move.to_memory, kEntryBytes);
    if (move.to_memory) {
      operations_.table_entry_sent(warp);
    } else {
      request.kind = AccessKind::Load;
      request.token = bring_back(warp);
    }
    load_store_.move_table_entry(request);
  }
}

InFlightId TableTraffic::bring_back(unsigned warp) {
  const InFlightId id = pool_.take();
  InFlight& record = pool_[id];
  record.instruction = &kBringBack;
  record.pc = kNoPc;
  record.warp = static_cast<std::uint8_t>(warp);
  record.port = Port::Memory;
  record.transactions = record.sent = 1;
  record.outstanding = 1;
  record.home_count = 0;
  operations_.table_entry_asked(warp);
  return id;
}

bool TableTraffic::is_entry(const InFlight& record) { return record.instruction == &kBringBack; }

}  // namespace warpfork::gpu
