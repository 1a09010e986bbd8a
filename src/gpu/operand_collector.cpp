#include "gpu/operand_collector.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/error.h"
#include "gpu/source_registers.h"

namespace warpfork::gpu {

OperandCollector::OperandCollector(const CollectorSpec& spec, InFlightPool& pool)
    : pool_(pool), bank_count_(spec.banks), queues_(spec.banks) {
  const unsigned counts[kPorts] = {spec.sp_units, spec.sfu_units, spec.memory_units};
  const unsigned ports[kPorts] = {spec.sp_ports, spec.sfu_ports, spec.memory_ports};
  const std::uint64_t units = std::uint64_t{counts[0]} + counts[1] + counts[2];
  if (spec.banks == 0 || spec.banks > 32 || units > 32)
    throw Error("core.collector: 1 to 32 banks and at most 32 units are supported; it has {} banks and {} units",
                spec.banks, units);
  unsigned first = 0;
  for (unsigned i = 0; i < kPorts; ++i) {
    sets_[i] = {first, counts[i], ports[i], counts[i] - 1,
                static_cast<std::uint32_t>((std::uint64_t{1} << counts[i]) - 1) << first};
    first += counts[i];
  }
  units_.resize(first);
}

void OperandCollector::cycle(std::span<StageRegister, kPorts> in, std::span<StageRegister, kPorts> out) {
  read_.clear();
  for (unsigned port = 0; port < kPorts; ++port)
    if ((ready_units_ & sets_[port].units) != 0) send(sets_[port], out[port]);
  if (waiting_banks_ != 0) read_banks();
  for (unsigned port = 0; port < kPorts; ++port)
    if (!in[port].empty()) take_in(sets_[port], in[port]);
  end_cycle_of_writes();
}

void OperandCollector::end_cycle_of_writes() {
  written_ = written_next_;
  for (std::uint32_t banks = written_; banks != 0; banks &= banks - 1) {
    const unsigned bank = static_cast<unsigned>(std::countr_zero(banks));
    if (--writes_left_[bank] == 0) written_next_ &= ~(1u << bank);
  }
}

void OperandCollector::send(Set& set, StageRegister& out) {
  for (unsigned port = 0; port < set.ports && out.has_room(); ++port) {
    const std::uint32_t ready = ready_units_ >> set.first & ((std::uint64_t{1} << set.count) - 1);
    if (ready == 0) return;
    const std::uint32_t later = set.last_sent + 1 < set.count ? ready & (~0u << (set.last_sent + 1)) : 0;
    set.last_sent = static_cast<unsigned>(std::countr_zero(later != 0 ? later : ready));
    const unsigned unit = set.first + set.last_sent;
    out.push(units_[unit].id);
    busy_units_ &= ~(1u << unit);
    ready_units_ &= ~(1u << unit);
  }
}

void OperandCollector::read_banks() {
  for (std::uint32_t banks = waiting_banks_ & ~written_; banks != 0; banks &= banks - 1) {
    const unsigned bank = static_cast<unsigned>(std::countr_zero(banks));
    const unsigned unit = queues_[bank].pop();
    if (queues_[bank].empty()) waiting_banks_ &= ~(1u << bank);
    if (--units_[unit].missing == 0) complete(unit);
  }
}

void OperandCollector::take_in(Set& set, StageRegister& in) {
  for (unsigned port = 0; port < set.ports && !in.empty(); ++port) {
    const std::uint32_t free = ~busy_units_ >> set.first & ((std::uint64_t{1} << set.count) - 1);
    if (free == 0) return;
    const unsigned unit = set.first + static_cast<unsigned>(std::countr_zero(free));
    const InFlightId id = in.front();
    in.pop();
    units_[unit] = {id, 0};
    busy_units_ |= 1u << unit;
    want_sources(unit, pool_[id]);
    if (units_[unit].missing == 0) complete(unit);
  }
}

void OperandCollector::want_sources(unsigned unit, const InFlight& record) {
  for_each_source(*record.instruction, numbers_, [&](std::uint16_t source) {
    if (!is_here(source)) return;
    record.for_each_home([&](unsigned home, ActiveMask) {
      const unsigned wanted = bank(source, home);
      queues_[wanted].push(unit);
      waiting_banks_ |= 1u << wanted;
      ++units_[unit].missing;
    });
  });
}

unsigned OperandCollector::write(const InFlight& record, bool wait) {
  const simt::Instruction& instruction = *record.instruction;
  if (instruction.destination_count == 1 && record.home_count == 0 && elsewhere_ == nullptr) {  // almost all: one bank
    const std::uint32_t written = 1u << bank(instruction.destinations[0], record.warp);
    if (wait && (written & written_) != 0) return 0;
    written_ |= written;
    return 1;
  }
  std::uint32_t banks = 0;
  std::array<std::uint16_t, 32> writes{};
  unsigned most = 1;
  for (unsigned i = 0; i < instruction.destination_count; ++i) {
    if (!is_here(instruction.destinations[i])) continue;
    record.for_each_home([&](unsigned home, ActiveMask) {
      const unsigned written = bank(instruction.destinations[i], home);
      banks |= 1u << written;
      most = std::max<unsigned>(most, ++writes[written]);
    });
  }
  if (wait && (banks & written_) != 0) return 0;
  written_ |= banks;
  if (most == 1) return 1;
  for (std::uint32_t rest = banks; rest != 0; rest &= rest - 1) {
    const unsigned bank = static_cast<unsigned>(std::countr_zero(rest));
    writes_left_[bank] = std::max<std::uint16_t>(writes_left_[bank], writes[bank] - 1);
    if (writes_left_[bank] != 0) written_next_ |= 1u << bank;
  }
  return most;
}

}  // namespace warpfork::gpu
