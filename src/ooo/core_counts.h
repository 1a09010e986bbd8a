// What a CPU core counts.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "ooo/cycle_cause.h"
#include "ooo/data_memory.h"
#include "ooo/front_counts.h"
#include "ooo/operation_counts.h"

namespace warpfork::ooo {

struct CoreCounts {
  Cycle cycles = 0;
  std::array<std::uint64_t, kCycleCauses> warp_cycles{};  ///< by cause; they sum up to cycles × warps
  FrontCounts front;
  DataMemoryCounts memory;
  OperationCounts operations;         ///< of issued µops, those of wrong paths for all lanes of their mask
  std::uint64_t uops = 0;             ///< committed, merges and path µops among them
  std::uint64_t merges = 0;           ///< merge µops committed
  std::uint64_t issued = 0;           ///< µops issued, those that are flushed later among them
  std::uint64_t flushed = 0;          ///< µops taken back after a misprediction
  std::uint64_t merge_stalls = 0;     ///< cycles in which renaming stopped because one register had to be merged twice
  std::uint64_t register_stalls = 0;  ///< cycles in which renaming stopped for want of a physical register

  /// Instructions of all threads per cycle.
  double ipc() const {
    return cycles == 0 ? 0 : static_cast<double>(front.thread_instructions) / static_cast<double>(cycles);
  }
  /// Mean number of threads that execute an instruction together.
  double occupancy() const {
    return front.instructions == 0
               ? 0
               : static_cast<double>(front.thread_instructions) / static_cast<double>(front.instructions);
  }
};

}  // namespace warpfork::ooo
