// Holds the renaming of a whole core to what one-thread-at-a-time renaming gives (SIMT-X 3.8).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "ooo/core_listener.h"

namespace warpfork::ooo {

/// Every write of a µop is a number of its own. In the order of commit each thread's architectural registers are given
/// the numbers that the thread's own µops write, and each lane of a physical register what is really written there: by
/// µops for the lanes of their path, by merges lane by lane from either of two registers. Throws InvariantError if
///   - a µop commits whose source does not hold, in some lane of its path, the number of the thread's own register
///   - a physical register is given out between the renaming of a µop that reads it and that µop's commit
///   - a µop's path has not, in the end, the lanes that the recording has there
///   - the µops of an instruction do not commit once and in order in each of its lanes
/// A core that does not rename has nothing to be checked.
///
/// Sample of what(), with the PIRAT of the warp as it is then:
///   renaming: µop 12 at 1018 (warp 0) reads rcx of lane 2 from p4, which holds value 38, not 41:
///       main  m/t   ldiv
///   r0  p0    -     -
class RenameChecker final : public CoreListener {
 public:
  void started(unsigned warp, const PathTable& paths, const Pirat* table) override;
  void began(unsigned warp, LaneMask lanes) override;
  void entered(const Entry& entry) override;
  void committed(const Commit& commit) override;
  void flushed(Cycle at, unsigned warp, std::uint64_t instruction) override;

  std::uint64_t uops_checked() const { return uops_checked_; }
  std::uint64_t merges_checked() const { return merges_checked_; }

 private:
  using Lanes = std::array<std::uint64_t, kMaxLanes>;  // values
  struct Read {
    x86::RegisterId architectural;
    PhysicalRegister physical;
    std::uint32_t generation;  // of the physical register when the µop was renamed
  };
  struct InFlight {
    std::uint64_t uop = 0, instruction = 0, pc = 0;
    std::size_t step = 0, steps = 0;  // which of the instruction's µops; none of a merge or of paths
    LaneMask lanes = 0;               // that the recording has there
    bool merge = false;
    bool selects_by_path = false;
    LaneMask mask = 0;  // of a merge that does not
    std::vector<Read> reads;
    std::vector<Renaming> writes;
  };
  struct Warp {
    unsigned lanes = 0;
    const Pirat* table = nullptr;
    std::array<Lanes, x86::kRegisterCount> expected{};
    std::array<std::size_t, kMaxLanes> step{};  // by lane: the µop of its instruction that commits next
    std::deque<InFlight> in_flight;
  };
  struct Physical {
    Lanes values{};
    std::uint32_t generation = 0;  // how often it has been given out
  };

  Physical& at(PhysicalRegister physical);
  void commit_operation(const InFlight& uop, const Commit& commit);
  void check_step(const InFlight& uop, const Commit& commit);
  void commit_merge(const InFlight& uop, const Commit& commit);
  void check_kept(const InFlight& uop, const Commit& commit);

  std::vector<Warp> warps_;
  std::vector<Physical> physical_;
  std::uint64_t values_ = 0, uops_checked_ = 0, merges_checked_ = 0;
};

}  // namespace warpfork::ooo
