// The µops in flight of OutOfOrderCore, and what it keeps of each warp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ooo/numbered_queue.h"
#include "ooo/out_of_order_core.h"
#include "ooo/warp_front.h"

namespace warpfork::ooo {

/// An entry of the reorder buffer.
struct OutOfOrderCore::Uop {
  const x86::Uop* operation = nullptr;         // null: cuop, threads that part at an event, merge
  std::uint64_t number = 0;                    // in the reorder buffer
  std::uint64_t order = 0;                     // age among all warps
  std::uint64_t instruction = 0;               // its number in the front end
  std::uint64_t access = AddressQueue::kNone;  // position of its addresses
  std::uint64_t store = StoreQueue::kNone;     // that a load waits for
  LaneMask lanes = 0;
  x86::UopKind kind = x86::UopKind::Nop;
  State state = State::Waiting;
  WaitCause waited = WaitCause::Nothing;
  std::uint8_t pending = 0;          // operands, paths and stores that it waits for
  std::uint8_t address_pending = 0;  // of the operands, those that a store's address needs
  std::uint8_t renaming_count = 0;
  std::uint8_t bytes = 0;
  bool last = false, resolves = false, merge = false, free = false, atomic = false;
  bool takes_width = false;  // of the stages
  PathId merge_path = kNoPath;
  std::array<Renaming, RenamedUop::kMaxDestinations> renamings{};
};

struct OutOfOrderCore::Warp {
  Warp(const MachineSpec& machine, unsigned index, WarpFront& front, FreeList& free)
      : front(front),
        rename(find_rename_strategy(machine.rename).make(Pirat(front.paths(), free))),
        stores(front.in_flight().addresses(), chosen(kDisambiguations, machine.disambiguation, "disambiguation")),
        index(index),
        part(is_partitioned(machine) ? index : 0) {}

  WarpFront& front;
  std::unique_ptr<RenameStrategy> rename;
  StoreQueue stores;
  NumberedQueue<Uop> buffer;  // the reorder buffer
  unsigned index;
  unsigned part;                // of the reorder buffer
  Cycle committed_at = kNever;  // its last µop
  // Where renaming is within the front end's next instruction.
  std::size_t uop = 0;
  std::uint32_t repeat = 0;
  std::uint64_t access = AddressQueue::kNone;
  std::vector<std::uint64_t> path_waiters, loads_waiting;  // in the reorder buffer
};

}  // namespace warpfork::ooo
