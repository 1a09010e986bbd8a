// Which register banks the instructions of a kernel read and write (gtx480.md, "Operand collectors and register file").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/register_set.h"
#include "gpu/bank_count.h"
#include "gpu/in_flight.h"
#include "gpu/source_registers.h"

namespace warpfork::gpu {

/// Bank = (register number + warp slot) mod banks: what a warp's instruction reads and writes is what warp 0's does,
/// turned by the warp's slot. So it is looked up once for each instruction of a kernel.
class BankAccesses {
 public:
  using Banks = std::uint32_t;  // bit b = bank b

  /// Of a kernel's code, in at most 32 banks. `numbers`: by ptx::RegisterId, what chooses the bank; and which registers
  /// lie in another file, if there is one.
  BankAccesses(unsigned banks, std::span<const simt::Instruction> code, std::span<const std::uint16_t> numbers,
               const analysis::RegisterSet* elsewhere);

  /// Warp 0's, side by side with themselves, as of_warp() takes them.
  struct Access {
    std::uint64_t read = 0;
    std::uint64_t again = 0;  // of these, those that are read twice
    std::uint64_t written = 0;
    bool is_listed = true;  // else more is read of one bank, or written
  };
  /// Of an instruction whose registers are all its warp's; null if they must be looked up one by one.
  const Access* of(const InFlight& record) const {
    if (record.home_count != 0 || record.pc >= accesses_.size()) return nullptr;
    const Access& access = accesses_[record.pc];
    return access.is_listed ? &access : nullptr;
  }
  Banks of_warp(std::uint64_t banks, unsigned warp) const {
    return static_cast<Banks>(banks >> (count_ - count_.turn(warp))) & all_;
  }

  unsigned bank(std::uint16_t reg, unsigned warp) const { return count_.turn(numbers_[reg] + warp); }
  /// Calls `visit` with the registers that are read, and lie here: with one of those that share a number.
  template <class Visit>
  void for_each_source(const simt::Instruction& instruction, Visit&& visit) const {
    gpu::for_each_source(instruction, numbers_, [&](std::uint16_t source) {
      if (is_here(source)) visit(source);
    });
  }
  bool is_here(std::uint16_t reg) const { return elsewhere_ == nullptr || !elsewhere_->contains(reg); }

 private:
  Access access_of(const simt::Instruction& instruction) const;

  BankCount count_;
  Banks all_;
  std::span<const std::uint16_t> numbers_;
  const analysis::RegisterSet* elsewhere_;
  std::vector<Access> accesses_;  // by pc
};

}  // namespace warpfork::gpu
