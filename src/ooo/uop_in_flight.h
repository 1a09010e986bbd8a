// A µop between rename and commit.
#pragma once

#include <array>
#include <cstdint>

#include "ooo/address_queue.h"
#include "ooo/rename/renamed_uop.h"
#include "ooo/store_queue.h"
#include "ooo/wait_cause.h"
#include "x86/instruction.h"

namespace warpfork::ooo {

/// By which a queue refers to a µop that may be flushed meanwhile.
struct UopId {
  std::uint64_t order;
  std::uint32_t number;  ///< its lowest bits, enough to tell its entry
  std::uint32_t warp;
};

/// An entry of the reorder buffer: two lines of the host's cache, of which waking and selecting need the first.
struct alignas(64) UopInFlight {
  enum class State : std::uint8_t { Waiting, Ready, Executing, Done };
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};  ///< the order of none, or of one that has been flushed

  std::uint64_t order = kNobody;               ///< age among all warps
  std::uint64_t number = 0;                    ///< in its warp's part of the reorder buffer
  std::uint64_t ready_since = 0;               ///< the first IssueQueue::select() that found it ready
  std::uint64_t access = AddressQueue::kNone;  ///< position of its addresses
  x86::UopKind kind = x86::UopKind::Nop;
  State state = State::Waiting;
  WaitCause waited = WaitCause::Nothing;
  std::uint8_t warp = 0;
  std::uint8_t pending = 0;          ///< operands, masks and stores that it waits for
  std::uint8_t address_pending = 0;  ///< of the operands, those that a store's address needs
  std::uint8_t renaming_count = 0;
  std::uint8_t bytes = 0;  ///< of each lane's access
  bool last = false;       ///< of its instruction
  bool settles = false;    ///< the last of an instruction predicted divergent
  bool resolves = false;   ///< a branch, or paths that meet
  bool branches = false;   ///< its instruction may turn out to be fetched again, until it is resolved
  bool merge = false;
  bool free = false;  ///< a merge that takes nothing of the queues and widths
  bool atomic = false;
  bool takes_width = false;             ///< of the stages
  const x86::Uop* operation = nullptr;  ///< null: cuop, threads that part at an event, merge
  LaneMask lanes = 0;
  std::uint64_t instruction = 0;            ///< its number in the front end
  std::uint64_t store = StoreQueue::kNone;  ///< that a load waits for
  PathId merge_path = kNoPath;
  std::array<Renaming, RenamedUop::kMaxDestinations> renamings{};

  UopId id() const { return {order, static_cast<std::uint32_t>(number), warp}; }
  bool accesses_memory() const { return access != AddressQueue::kNone; }
  /// It issues when it is the oldest of its warp.
  bool issues_alone() const { return kind == x86::UopKind::Serialize || atomic; }
  bool is_store() const { return accesses_memory() && kind == x86::UopKind::Store; }
};

}  // namespace warpfork::ooo
