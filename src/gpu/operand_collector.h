// Operand collector units, register banks and their arbiter (GPGPU-Sim's operand collector; gtx480.md, "Operand
// collectors and register file").
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/register_set.h"
#include "gpu/collector_spec.h"
#include "gpu/in_flight_pool.h"
#include "gpu/register_write_port.h"
#include "gpu/stage_register.h"

namespace warpfork::gpu {

/// Between issue and execution: an instruction enters a collector unit of its port, its source registers are read from
/// the banks, one register a bank and cycle, and it leaves when all are there. Taking in, reading and sending on are a
/// cycle each. Bank = (register number + warp slot) mod banks; a number that occurs twice is read once. The registers
/// of regrouped threads lie with their home warps: one read of each home warp's row, in the bank that its slot gives.
class OperandCollector final : public RegisterWritePort {
 public:
  OperandCollector(const CollectorSpec& spec, InFlightPool& pool);

  /// For the kernel that runs: by ptx::RegisterId, the number that chooses the bank; and which registers lie in
  /// another file, if there is one.
  void set_register_numbers(std::span<const std::uint16_t> numbers, const analysis::RegisterSet* elsewhere = nullptr) {
    numbers_ = numbers;
    elsewhere_ = elsewhere;
  }

  /// One cycle: ready units send on into `out`, banks are read, instructions are taken in from `in`.
  void cycle(std::span<StageRegister, kPorts> in, std::span<StageRegister, kPorts> out);
  /// A result is written from this cycle on, one register a bank and cycle, as it is read: in that time the banks serve
  /// no read. Returns the cycles that this takes; 0 (and nothing is done) if a bank is already being written and `wait`
  /// is set. Who does not wait writes at the same time.
  unsigned write(const InFlight& record, bool wait) override;

  /// Whether operands_read() is kept, from now on.
  void keep_read(bool keep) { keep_read_ = keep; }
  /// Instructions of which the last operand was read in the latest cycle().
  std::span<const InFlightId> operands_read() const { return read_; }

  bool idle() const { return busy_units_ == 0 && written_ == 0; }

 private:
  struct Unit {
    InFlightId id = kNoInFlight;
    std::uint16_t missing = 0;  // reads that are still to be done
  };
  struct Set {
    unsigned first = 0, count = 0, ports = 0;
    unsigned last_sent = 0;
    std::uint32_t units = 0;  // the bits of its units
  };
  /// Reads that wait at one bank: collector units in order of arrival. A unit takes in one instruction, with all its
  /// reads, and the next when all are done: it stands here once.
  class BankQueue {
   public:
    void push(unsigned unit) {
      if (!empty() && reads_[(tail_ - 1) % kRoom].unit == unit)
        ++reads_[(tail_ - 1) % kRoom].count;
      else
        reads_[tail_++ % kRoom] = {static_cast<std::uint8_t>(unit), 1};
    }
    /// The unit for which the bank reads next.
    unsigned pop() {
      Reads& first = reads_[head_ % kRoom];
      if (--first.count == 0) ++head_;
      return first.unit;
    }
    bool empty() const { return head_ == tail_; }

   private:
    struct Reads {
      std::uint8_t unit;
      std::uint16_t count;  // at most 8 sources of 32 home warps
    };
    static constexpr unsigned kRoom = 32;  // units
    std::array<Reads, kRoom> reads_;
    unsigned head_ = 0, tail_ = 0;
  };

  void end_cycle_of_writes();
  void send(Set& set, StageRegister& out);
  void read_banks();
  void take_in(Set& set, StageRegister& in);
  void complete(unsigned unit) {
    ready_units_ |= 1u << unit;
    if (keep_read_) read_.push_back(units_[unit].id);
  }
  void want_sources(unsigned unit, const InFlight& record);
  bool is_here(std::uint16_t reg) const { return elsewhere_ == nullptr || !elsewhere_->contains(reg); }
  unsigned bank(std::uint16_t reg, unsigned warp) const { return (numbers_[reg] + warp) % bank_count_; }

  InFlightPool& pool_;
  unsigned bank_count_;
  std::span<const std::uint16_t> numbers_;
  const analysis::RegisterSet* elsewhere_ = nullptr;
  std::vector<Unit> units_;
  std::array<Set, kPorts> sets_;
  std::vector<BankQueue> queues_;
  std::uint32_t waiting_banks_ = 0;              // banks with a read in their queue
  std::uint32_t written_ = 0;                    // banks written in this cycle
  std::uint32_t written_next_ = 0;               // and in the next one, because more than one register is written
  std::array<std::uint16_t, 32> writes_left_{};  // by bank: cycles after this one
  bool keep_read_ = false;
  std::vector<InFlightId> read_;
  std::uint32_t busy_units_ = 0, ready_units_ = 0;  // by unit
};

}  // namespace warpfork::gpu
