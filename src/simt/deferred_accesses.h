// Accesses of device memory that take effect later than they are executed: what lets cores run ahead of one another
// (docs/adr/0029).
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "simt/launch.h"
#include "simt/program.h"

namespace warpfork::simt {

/// The device memory that was changed since all cores were last at the same cycle: a quick no for who reads it.
class ChangedMemory {
 public:
  void forget() {
    if (any_) *this = ChangedMemory();
  }
  void add(std::uint64_t address) {
    sectors_.set(number(address));
    any_ = true;
  }
  void add_everything() { any_ = everything_ = true; }
  bool any() const { return any_; }
  bool may_contain(std::uint64_t address) const { return everything_ || sectors_.test(number(address)); }

 private:
  /// No access reaches over the end of 32 bytes: it is aligned to its size, which is a power of two.
  static std::size_t number(std::uint64_t address) { return address / 32 % kSectors; }

  static constexpr std::size_t kSectors = 4096;
  std::bitset<kSectors> sectors_;  // by number modulo kSectors
  bool any_ = false, everything_ = false;
};

/// Of one core. While it defers, an instruction does at once what it does to its own block's memory, and a load reads
/// device memory as it is; perform() makes stores and atomics, and loads whose bytes have changed before their turn,
/// with the operands that they had. Whoever defers makes sure that nobody reads a result before that. Faults come up
/// where their turn is.
class DeferredAccesses {
 public:
  /// `changed` is shared by all cores and filled by perform().
  explicit DeferredAccesses(ChangedMemory& changed) : changed_(&changed) {}

  /// From here on accesses are put off, those of before have all been performed.
  void defer();
  /// From here on they take effect at once, in place of a perform().
  void stop() { defers_ = false; }

  /// Calls the instruction's handler, for a Load, Store or Atomic; now or later.
  void execute(const Instruction& instruction, WarpContext& warp, RowLanes lanes);

  /// Of the first load of device memory whose result is not brought by the L1 data cache or from memory, its cycle:
  /// somebody may soon read it. kNever if there is none.
  Cycle quick_load() const { return quick_load_; }

  /// The cycle of the latest access that was put off; kNever if there is none.
  Cycle latest() const { return accesses_.empty() ? kNever : accesses_.back().cycle; }
  /// What was executed up to the cycle. Throws what the handlers throw.
  void perform(Cycle now);

 private:
  /// A row of the warp's registers as it was: `bytes` from `at` on in copies_.
  struct Row {
    std::uint32_t offset, bytes;
    std::size_t at;
  };
  struct Access {
    const Instruction* instruction;
    WarpContext* warp;
    RowLanes lanes;
    Pc pc;
    Cycle cycle;
    unsigned rows = 0;
    std::array<Row, 5> row{};
  };

  void load(const Instruction& instruction, WarpContext& warp, RowLanes lanes);
  void update(const Instruction& instruction, WarpContext& warp, RowLanes lanes);
  void note_quick(const Access& access) { quick_load_ = std::min(quick_load_, access.cycle); }
  Access captured(const Instruction& instruction, WarpContext& warp);
  void capture(Access& access, std::uint32_t offset, std::uint32_t bytes);
  MemoryAccess::Addresses addresses(const Access& access) const;
  bool is_stale(const Access& access) const;
  void perform(const Access& access);
  void put_back(const Access& access, const Row& row, const std::byte* from) const;

  ChangedMemory* changed_;
  bool defers_ = false;
  Cycle quick_load_ = kNever;
  std::vector<Access> accesses_;  // in the order of their execution
  std::size_t performed_ = 0;
  std::vector<std::byte> copies_;  // what the accesses' operands were
  std::vector<std::byte> present_;
};

}  // namespace warpfork::simt
