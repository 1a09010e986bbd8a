#include "gpu/operand_collector.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/error.h"
#include "gpu/source_registers.h"

namespace warpfork::gpu {

OperandCollector::OperandCollector(const CollectorSpec& spec, InFlightPool& pool)
    : pool_(pool), bank_count_(spec.banks), bank_mask_(std::has_single_bit(spec.banks) ? spec.banks - 1 : 0) {
  const unsigned counts[kPorts] = {spec.sp_units, spec.sfu_units, spec.memory_units};
  const unsigned ports[kPorts] = {spec.sp_ports, spec.sfu_ports, spec.memory_ports};
  const std::uint64_t units = std::uint64_t{counts[0]} + counts[1] + counts[2];
  if (spec.banks == 0 || spec.banks > 32 || units > 32)
    throw Error("core.collector: 1 to 32 banks and at most 32 units are supported; it has {} banks and {} units",
                spec.banks, units);
  unsigned first = 0;
  for (unsigned i = 0; i < kPorts; ++i) {
    sets_[i] = {static_cast<std::uint32_t>((std::uint64_t{1} << counts[i]) - 1) << first, 0, ports[i]};
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

/// Units that are ready in turn.
void OperandCollector::send(Set& set, StageRegister& out) {
  std::uint32_t ready = ready_units_ & set.units;
  for (unsigned port = 0; port < set.ports && ready != 0 && out.has_room(); ++port) {
    const std::uint32_t later = ready & set.later;
    const unsigned unit = static_cast<unsigned>(std::countr_zero(later != 0 ? later : ready));
    const std::uint32_t bit = 1u << unit;
    out.push(ids_[unit]);
    set.later = set.units & ~(bit | (bit - 1));
    ready -= bit;
    ready_units_ -= bit;
    busy_units_ -= bit;
  }
}

/// Each bank serves the unit that has waited longest.
void OperandCollector::read_banks() {
  Banks taken = written_;
  Reader* left = readers_.data();
  for (Reader *reader = left, *end = left + reader_count_; reader != end; ++reader) {
    Banks served = reader->missing & ~taken;
    taken |= served;
    if ((served & reader->again) != 0) served = read_again(*reader, served);
    reader->missing &= ~served;
    if (reader->missing == 0)
      ready_units_ |= 1u << reader->unit;
    else
      *left++ = *reader;
  }
  reader_count_ = static_cast<unsigned>(left - readers_.data());
}

/// Some of the banks that serve the unit have another read to do for it: which have not.
[[gnu::noinline]] OperandCollector::Banks OperandCollector::read_again(Reader& reader, Banks served) {
  const Banks done = served & ~reader.again;
  for (Banks banks = served & reader.again; banks != 0; banks &= banks - 1) {
    const unsigned bank = static_cast<unsigned>(std::countr_zero(banks));
    if (--more_reads_[reader.unit][bank] == 0) reader.again &= ~(Banks{1} << bank);
  }
  return done;
}

void OperandCollector::take_in(Set& set, StageRegister& in) {
  for (unsigned port = 0; port < set.ports && !in.empty(); ++port) {
    const std::uint32_t free = set.units & ~busy_units_;
    if (free == 0) return;
    const unsigned unit = static_cast<unsigned>(std::countr_zero(free));
    const InFlightId id = in.front();
    in.pop();
    ids_[unit] = id;
    busy_units_ |= 1u << unit;
    const InFlight& record = pool_[id];
    const std::optional<Banks> banks = banks_of(record);
    if (!banks)
      read_from(sources(unit, record));
    else
      read_from({unit, *banks, 0});
  }
}

/// Almost always each source lies in a bank of its own: which these are.
inline std::optional<OperandCollector::Banks> OperandCollector::banks_of(const InFlight& record) const {
  if (record.home_count != 0 || elsewhere_ != nullptr) return std::nullopt;
  const simt::Instruction& instruction = *record.instruction;
  const unsigned warp = record.warp;
  Banks banks = 0;
  for (unsigned i = 0; i < instruction.source_count; ++i) {
    const Banks read = Banks{1} << bank(instruction.sources[i], warp);
    if ((banks & read) != 0) return std::nullopt;
    banks |= read;
  }
  return banks;
}

[[gnu::noinline]] OperandCollector::Reader OperandCollector::sources(unsigned unit, const InFlight& record) {
  Reader reader{unit, 0, 0};
  for_each_source(*record.instruction, numbers_, [&](std::uint16_t source) {
    if (!is_here(source)) return;
    record.for_each_home([&](unsigned home, ActiveMask) { want(reader, bank(source, home)); });
  });
  return reader;
}

void OperandCollector::want(Reader& reader, unsigned bank) {
  const Banks bit = Banks{1} << bank;
  if ((reader.missing & bit) != 0) {
    reader.again |= bit;
    ++more_reads_[reader.unit][bank];
  }
  reader.missing |= bit;
}

unsigned OperandCollector::write_all(const InFlight& record, bool wait) {
  const simt::Instruction& instruction = *record.instruction;
  Banks banks = 0;
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
  for (Banks rest = banks; rest != 0; rest &= rest - 1) {
    const unsigned bank = static_cast<unsigned>(std::countr_zero(rest));
    writes_left_[bank] = std::max<std::uint16_t>(writes_left_[bank], writes[bank] - 1);
    if (writes_left_[bank] != 0) written_next_ |= 1u << bank;
  }
  return most;
}

}  // namespace warpfork::gpu
