// Operand collector units, register banks and their arbiter (GPGPU-Sim's operand collector; gtx480.md, "Operand
// collectors and register file").
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/bank_accesses.h"
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

  /// A kernel begins, which accesses the banks so.
  void begin_kernel(const BankAccesses& accesses) { accesses_ = &accesses; }

  /// The first half of a cycle: ready units send on into `out`.
  void send(std::span<StageRegister, kPorts> out) {
    for (std::uint32_t ready = ready_units_; ready != 0;) {
      const unsigned port = port_of_[static_cast<unsigned>(std::countr_zero(ready))];
      send(sets_[port], out[port]);
      ready &= ~sets_[port].units;
    }
  }
  /// The second one: banks are read, instructions are taken in from `in`.
  void take_in(std::span<StageRegister, kPorts> in) {
    const std::uint32_t ready_before = ready_units_;
    if (reader_count_ != 0) read_banks();
    for (unsigned port = 0; port < kPorts; ++port)
      if (!in[port].empty()) take_in(sets_[port], in[port]);
    just_ready_ = ready_units_ & ~ready_before;
    written_ = written_next_;
    if (written_ != 0) count_writes();
  }
  /// A result is written from this cycle on, one register a bank and cycle, as it is read: in that time the banks serve
  /// no read. Returns the cycles that this takes; 0 (and nothing is done) if a bank is already being written and `wait`
  /// is set. Who does not wait writes at the same time.
  unsigned write(const InFlight& record, bool wait) override {
    const BankAccesses::Access* access = accesses_->of(record);
    if (access == nullptr) return write_all(record, wait);
    const Banks written = accesses_->of_warp(access->written, record.warp);
    if (wait && (written & written_) != 0) return 0;
    written_ |= written;
    return 1;
  }

  /// Calls visit(id) for the instructions of which the last operand was read in the latest take_in().
  template <class Visit>
  void for_each_read(Visit&& visit) const {
    for (std::uint32_t units = just_ready_; units != 0; units &= units - 1) visit(ids_[std::countr_zero(units)]);
  }

  bool idle() const { return busy_units_ == 0 && written_ == 0; }

 private:
  using Banks = BankAccesses::Banks;
  struct Set {
    std::uint32_t units = 0;  // a bit each
    std::uint32_t later = 0;  // of these, those behind the one that sent last
    unsigned ports = 0;
  };
  /// A unit with reads that are still to be done.
  struct Reader {
    unsigned unit;
    Banks missing;
    Banks again;  // of these, more than once
    Banks more;   // of these, more than twice
  };

  void count_writes();
  /// Units that are ready in turn.
  void send(Set& set, StageRegister& out) {
    std::uint32_t ready = ready_units_ & set.units, sent = 0;
    for (unsigned room = std::min(set.ports, out.room()); room != 0 && ready != 0; --room) {
      const std::uint32_t later = ready & set.later;
      const auto unit = static_cast<unsigned>(std::countr_zero(later != 0 ? later : ready));
      const std::uint32_t bit = 1u << unit;
      out.push(ids_[unit]);
      set.later = set.units & ~(bit | (bit - 1));
      ready -= bit;
      sent |= bit;
    }
    ready_units_ -= sent;
    busy_units_ -= sent;
  }
  /// Each bank serves the unit that has waited longest. Readers are changed as copies: one that moves would be loaded
  /// as a whole right behind the stores to its parts, for which the host's processor has to wait.
  void read_banks() {
    Banks taken = written_;
    std::uint32_t ready = ready_units_;
    Reader* left = readers_.data();
    for (const Reader *read = left, *end = left + reader_count_; read != end; ++read) {
      Reader reader = *read;
      const Banks served = reader.missing & ~taken;
      taken |= served;
      reader.missing &= ~served | reader.again;
      reader.again &= ~served;
      if ((served & reader.more) != 0) reader = after_more(reader, served);
      *left = reader;
      left += reader.missing != 0;
      ready |= std::uint32_t{reader.missing == 0} << reader.unit;
    }
    ready_units_ = ready;
    reader_count_ = static_cast<unsigned>(left - readers_.data());
  }
  Reader after_more(Reader reader, Banks served);
  void take_in(Set& set, StageRegister& in) {
    for (unsigned port = 0; port < set.ports && !in.empty(); ++port) {
      const std::uint32_t free = set.units & ~busy_units_;
      if (free == 0) return;
      const auto unit = static_cast<unsigned>(std::countr_zero(free));
      ids_[unit] = in.front();
      in.pop();
      busy_units_ |= 1u << unit;
      const Reader reader = reader_of(unit, pool_[ids_[unit]]);
      readers_[reader_count_] = reader;
      reader_count_ += reader.missing != 0;
      ready_units_ |= std::uint32_t{reader.missing == 0} << unit;
    }
  }
  Reader reader_of(unsigned unit, const InFlight& record) {
    const BankAccesses::Access* access = accesses_->of(record);
    if (access == nullptr) return sources(unit, record);
    return {unit, accesses_->of_warp(access->read, record.warp), accesses_->of_warp(access->again, record.warp), 0};
  }
  Reader sources(unsigned unit, const InFlight& record);
  void want(Reader& reader, unsigned bank);
  unsigned write_all(const InFlight& record, bool wait);

  // What a cycle looks at first, side by side.
  std::uint32_t busy_units_ = 0, ready_units_ = 0, just_ready_ = 0;  // by unit
  unsigned reader_count_ = 0;
  Banks written_ = 0;       // in this cycle
  Banks written_next_ = 0;  // and in the next one, because more than one register is written
  std::array<Set, kPorts> sets_;
  InFlightPool& pool_;
  std::array<Reader, 32> readers_;                         // in order of arrival
  std::array<InFlightId, 32> ids_;                         // by unit
  const BankAccesses* accesses_ = nullptr;                 // of the kernel
  std::array<std::uint8_t, 32> port_of_;                   // by unit
  std::vector<std::array<std::uint16_t, 32>> more_reads_;  // by unit and bank: those still to be done, but for two
  std::array<std::uint16_t, 32> writes_left_{};            // by bank: cycles after this one
};

}  // namespace warpfork::gpu
