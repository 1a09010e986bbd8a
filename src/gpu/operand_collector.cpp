#include "gpu/operand_collector.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/error.h"

namespace warpfork::gpu {

OperandCollector::OperandCollector(const CollectorSpec& spec, InFlightPool& pool) : pool_(pool) {
  const unsigned counts[kPorts] = {spec.sp_units, spec.sfu_units, spec.memory_units};
  const unsigned ports[kPorts] = {spec.sp_ports, spec.sfu_ports, spec.memory_ports};
  const std::uint64_t units = std::uint64_t{counts[0]} + counts[1] + counts[2];
  if (spec.banks == 0 || spec.banks > 32 || units > 32)
    throw Error("core.collector: 1 to 32 banks and at most 32 units are supported; it has {} banks and {} units",
                spec.banks, units);
  unsigned first = 0;
  for (unsigned i = 0; i < kPorts; ++i) {
    sets_[i] = {static_cast<std::uint32_t>((std::uint64_t{1} << counts[i]) - 1) << first, 0, ports[i]};
    std::fill_n(port_of_.begin() + first, counts[i], static_cast<std::uint8_t>(i));
    first += counts[i];
  }
  more_reads_.resize(first);
}

/// Of banks that are written for more than one cycle.
void OperandCollector::count_writes() {
  for (Banks banks = written_; banks != 0; banks &= banks - 1) {
    const unsigned bank = static_cast<unsigned>(std::countr_zero(banks));
    if (--writes_left_[bank] == 0) written_next_ &= ~(1u << bank);
  }
}

/// Some of the banks that serve the unit have still more than one read to do for it.
[[gnu::noinline]] OperandCollector::Reader OperandCollector::after_more(Reader reader, Banks served) {
  const Banks more = served & reader.more;
  reader.again |= more;
  for (Banks banks = more; banks != 0; banks &= banks - 1) {
    const unsigned bank = static_cast<unsigned>(std::countr_zero(banks));
    if (--more_reads_[reader.unit][bank] == 0) reader.more &= ~(Banks{1} << bank);
  }
  return reader;
}

[[gnu::noinline]] OperandCollector::Reader OperandCollector::sources(unsigned unit, const InFlight& record) {
  Reader reader{unit, 0, 0, 0};
  accesses_->for_each_source(*record.instruction, [&](std::uint16_t source) {
    record.for_each_home([&](unsigned home, ActiveMask) { want(reader, accesses_->bank(source, home)); });
  });
  return reader;
}

void OperandCollector::want(Reader& reader, unsigned bank) {
  const Banks bit = Banks{1} << bank;
  if ((reader.again & bit) != 0) {
    reader.more |= bit;
    ++more_reads_[reader.unit][bank];
  }
  reader.again |= reader.missing & bit;
  reader.missing |= bit;
}

[[gnu::noinline]] unsigned OperandCollector::write_all(const InFlight& record, bool wait) {
  const simt::Instruction& instruction = *record.instruction;
  Banks banks = 0;
  std::array<std::uint16_t, 32> writes{};
  unsigned most = 1;
  for (unsigned i = 0; i < instruction.destination_count; ++i) {
    if (!accesses_->is_here(instruction.destinations[i])) continue;
    record.for_each_home([&](unsigned home, ActiveMask) {
      const unsigned written = accesses_->bank(instruction.destinations[i], home);
      banks |= 1u << written;
      most = std::max<unsigned>(most, ++writes[written]);
    });
  }
  if (wait && (banks & written_) != 0) return 0;
  written_ |= banks;
  if (most == 1) return 1;
  for (Banks rest = banks; rest != 0; rest &= rest - 1) {
    const unsigned bank = static_cast<unsigned>(std::countr_zero(rest));
    writes_left_[bank] = std::max<std::uint16_t>(writes_left_[bank], writes[bank] - 1);
    if (writes_left_[bank] != 0) written_next_ |= 1u << bank;
  }
  return most;
}

}  // namespace warpfork::gpu
