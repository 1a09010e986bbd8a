#include "memory/memory_system.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/for_each_bit.h"
#include "memory/bit_field.h"

namespace warpfork::memory {
namespace {

const MemorySpec& checked(const MemorySpec& spec) {
  const ClockSpec& clock = spec.clock;
  if (clock.core_mhz == 0 || clock.interconnect_mhz == 0 || clock.dram_mhz == 0)
    throw Error(
        "memory.clock.core_mhz is {}, memory.clock.interconnect_mhz {} and memory.clock.dram_mhz {}; none may be 0",
        clock.core_mhz, clock.interconnect_mhz, clock.dram_mhz);
  const unsigned sector = spec.l2.sector_bytes;
  if (!std::has_single_bit(sector) || sector > AddressMapping::kLineBytes ||
      AddressMapping::kLineBytes / sector > SectorRef::kMostSectors)
    throw Error("memory.l2.sector_bytes is {}; it may be 16, 32, 64 or 128", sector);
  const CrossbarSpec& network = spec.interconnect;
  const std::uint64_t shorter = std::min(network.injection_queue, network.output_buffer);
  const unsigned longest = kHeaderBytes + AddressMapping::kLineBytes;  // bytes of a packet
  if (network.flit_bytes != 0 && shorter * network.flit_bytes < longest)
    throw Error(
        "memory.interconnect.injection_queue is {} and memory.interconnect.output_buffer {} flits of {} bytes; each "
        "must hold the {} bytes of a written line with its header, or behind one nothing would ever arrive",
        network.injection_queue, network.output_buffer, network.flit_bytes, longest);
  const AddressMappingSpec& mapping = spec.mapping;
  if (std::uint64_t{mapping.channels} * mapping.slices_per_channel > Crossbar::kMostPorts)
    throw Error(
        "memory.mapping.channels is {} and memory.mapping.slices_per_channel {}; at most {} slices of the L2 "
        "in all are supported",
        mapping.channels, mapping.slices_per_channel, Crossbar::kMostPorts);
  const auto named = static_cast<unsigned>(std::popcount(spec.mapping.bank_mask));
  if (!std::has_single_bit(spec.dram.banks) || named != static_cast<unsigned>(std::countr_zero(spec.dram.banks)))
    throw Error(
        "memory.dram.banks is {} and memory.mapping.bank_mask {:#x}; of a power of two of banks, the mask must have as "
        "many bits as number them: it has {}",
        spec.dram.banks, spec.mapping.bank_mask, named);
  return spec;
}

/// Of the interconnect, at most.
Tick ticks_of_cycle(const ClockSpec& clock) { return (clock.interconnect_mhz + clock.core_mhz - 1) / clock.core_mhz; }

}  // namespace

MemorySystem::MemorySystem(const MemorySpec& spec, unsigned cores)
    : spec_(checked(spec)),
      mapping_(spec.mapping),
      interconnect_clock_(spec.clock.interconnect_mhz, spec.clock.core_mhz),
      dram_clock_(spec.clock.dram_mhz, spec.clock.core_mhz),
      known_ticks_(spec.interconnect.latency + 2 * ticks_of_cycle(spec.clock)),
      requests_(spec.interconnect, cores, mapping_.slices(), spec.interconnect.injection_queue),
      replies_(spec.interconnect, mapping_.slices(), cores, spec.interconnect.injection_queue + spec.l2.reply_queue),
      last_served_(spec.mapping.channels, 0),
      ports_(cores),
      awaited_(cores),
      ahead_(cores) {
  slices_.reserve(mapping_.slices());
  for (unsigned i = 0; i < mapping_.slices(); ++i)
    slices_.emplace_back(spec_.l2, mapping_, i, transactions_, requests_, replies_);
  for (unsigned i = 0; i < spec.mapping.channels; ++i) channels_.emplace_back(spec_.dram);
}

std::uint32_t MemorySystem::data_bytes(const MemoryRequest& request) {
  return is_write(request.kind) || request.kind == AccessKind::Atomic ? request.bytes : 0;
}

bool MemorySystem::can_inject(unsigned core, std::uint32_t data_bytes, Cycle now) const {
  const unsigned flits = requests_.flits_of(kHeaderBytes + data_bytes);
  const Tick tick = interconnect_clock_.tick_at(now) + 1;
  if (is_ahead(core)) [[unlikely]]
    return requests_.can_enter(ahead_[core].channel_free(), flits, tick);
  return requests_.can_send(core, flits, tick);
}

void MemorySystem::inject(const MemoryRequest& request, Cycle now) {
  const std::uint64_t offset = request.address % AddressMapping::kLineBytes;
  check(request.bytes != 0 && offset + request.bytes <= AddressMapping::kLineBytes, [&] {
    return fmt::format("memory: {} bytes at {:#x} from core {} do not lie within a line", request.bytes,
                       request.address, request.core);
  });
  const unsigned flits = requests_.flits_of(kHeaderBytes + data_bytes(request));
  const Tick tick = interconnect_clock_.tick_at(now) + 1;
  if (is_ahead(request.core)) [[unlikely]]
    return ahead_[request.core].send(request, flits, tick);
  clock_ = std::max(clock_, now);
  const std::uint32_t number = transactions_.allocate();
  Transaction& transaction = transactions_[number];
  const SliceLine at = mapping_.locate(request.address);
  const auto first = static_cast<unsigned>(offset / spec_.l2.sector_bytes);
  const auto last = static_cast<unsigned>((offset + request.bytes - 1) / spec_.l2.sector_bytes);
  transaction.request = request;
  transaction.injected = now;
  transaction.line = at.line;
  transaction.first_sector = static_cast<std::uint8_t>(first);
  transaction.sectors = transaction.pending = static_cast<std::uint8_t>(last - first + 1);
  requests_.send(request.core, at.slice, flits, number, tick);
  if (request.kind != AccessKind::WriteBack) awaited_.sent(request.core);
}

Cycle MemorySystem::next_event() const {
  Cycle next = std::min({slice_wheel_.next(), channel_wheel_.next(), core_wheel_.next()});
  if (active_slices_ != 0 || !requests_.empty() || !replies_.empty())
    next = std::min(next, interconnect_clock_.cycle_of(interconnect_clock_.tick_at(clock_) + 1));
  if (active_channels_ != 0) next = std::min(next, dram_clock_.cycle_of(dram_clock_.tick_at(clock_) + 1));
  return next;
}

void MemorySystem::advance(Cycle now) {
  clock_ = now;
  wake_cores(now);
  active_slices_ |= slice_wheel_.advance(now);
  active_channels_ |= channel_wheel_.advance(now);
  const Tick last = interconnect_clock_.tick_at(now);
  const Tick first = first_tick(interconnect_clock_, now);
  for (Tick tick = first; tick <= last; ++tick) {
    if (tick == first) tick_channels(now);
    tick_slices(tick, now);
    move_networks(tick);
  }
  if (first > last) tick_channels(now);
}

void MemorySystem::wake_cores(Cycle now) {
  for_each_bit(core_wheel_.advance(now), [&](unsigned core) {
    const Ring<Response>& waiting = ports_[core].responses;
    if (waiting.empty()) return;
    if (waiting.front().visible <= now) {
      cores_with_responses_ |= bit(core);
    } else {
      core_wheel_.wake(core, waiting.front().visible);
    }
  });
}

void MemorySystem::pop_response(unsigned core) {
  if (is_ahead(core)) [[unlikely]]
    return ahead_[core].pop(ports_[core]);
  Ring<Response>& waiting = ports_[core].responses;
  replies_.release(core, waiting.front().flits);
  waiting.pop();
  awaited_.taken(core);
  cores_with_responses_ &= ~bit(core);
  if (!waiting.empty()) core_wheel_.wake(core, std::max(waiting.front().visible, clock_ + 1));
}

// A reply that wins the switch in the tick that comes next is behind the port a latency later, and shown a cycle after
// that. So the ticks until then are the latency's, and at most those of a cycle at either end.
Cycle MemorySystem::known_until(Cycle now) const {
  return interconnect_clock_.cycle_of(first_tick(interconnect_clock_, now) + spec_.interconnect.latency) + 1;
}

void MemorySystem::begin_ahead(unsigned core) {
  ahead_[core].begin(ports_[core], requests_.channel_free(core));
  are_ahead_ |= bit(core);
}

void MemorySystem::repeat(unsigned core, Cycle now) {
  while (const PortAhead::Call* call = ahead_[core].repeat(now)) {
    if (call->is_pop)
      pop_response(core);
    else
      inject(call->request, now);
  }
}

void MemorySystem::tick_channels(Cycle now) {
  if (active_channels_ == 0) return;
  const Tick last = dram_clock_.tick_at(now);
  for (Tick tick = first_tick(dram_clock_, now); tick <= last; ++tick)
    for_each_bit(active_channels_, [&](unsigned channel) { tick_channel(channel, tick, now); });
}

void MemorySystem::tick_channel(unsigned number, Tick tick, Cycle now) {
  DramChannel& channel = channels_[number];
  bool moved = false;
  if (channel.has_return(tick)) {
    const DramRequest& data = channel.returned();
    if (slices_[data.slice].can_fill()) {
      slices_[data.slice].fill(data.tag);
      active_slices_ |= bit(data.slice);
      channel.pop_return();
    }
    moved = true;
  }
  moved |= channel.tick(tick, now);
  moved |= accept_from_slices(number, now);
  if (!moved) schedule_channel(number, tick, now);
}

// One request a tick, the channel's slices in turn. Returns whether a slice has requests, taken or not.
bool MemorySystem::accept_from_slices(unsigned number, Cycle now) {
  const unsigned count = spec_.mapping.slices_per_channel;
  bool asked = false;
  for (unsigned i = 1; i <= count; ++i) {
    const unsigned candidate = (last_served_[number] + i) % count;
    L2Slice& slice = slices_[number * count + candidate];
    const DramRequest* request = slice.dram_request();
    if (request == nullptr) continue;
    asked = true;
    if (!channels_[number].can_accept()) break;
    channels_[number].accept(*request, now);
    slice.pop_dram_request();
    last_served_[number] = candidate;
    break;
  }
  return asked;
}

// Nothing moved in this tick: the channel sleeps until something can.
void MemorySystem::schedule_channel(unsigned number, Tick tick, Cycle now) {
  const DramChannel& channel = channels_[number];
  const Tick next_tick = channel.next_tick(tick);
  const Cycle next = std::min(channel.next_arrival(), next_tick == kNever ? kNever : dram_clock_.cycle_of(next_tick));
  if (next <= now) return;
  active_channels_ &= ~bit(number);
  if (next != kNever) channel_wheel_.wake(number, next);
}

void MemorySystem::tick_slices(Tick tick, Cycle now) {
  for_each_bit(active_slices_, [&](unsigned number) {
    L2Slice& slice = slices_[number];
    const Cycle next = slice.tick(tick, now);
    if (slice.dram_request() != nullptr) active_channels_ |= bit(channel_of(number));
    if (next == now + 1) return;
    active_slices_ &= ~bit(number);
    if (next != kNever) slice_wheel_.wake(number, next);
  });
}

void MemorySystem::move_networks(Tick tick) {
  if (!requests_.empty())
    requests_.step(tick, [&](unsigned slice, std::uint32_t transaction, unsigned flits, Tick arrival) {
      const Cycle at = interconnect_clock_.cycle_of(arrival);
      slices_[slice].expect(transaction, flits, at);
      slice_wheel_.wake(slice, at);
    });
  if (!replies_.empty())
    replies_.step(tick, [&](unsigned core, std::uint32_t ref, unsigned flits, Tick arrival) {
      deliver_reply(core, SectorRef(ref), flits, interconnect_clock_.cycle_of(arrival));
    });
}

// The port takes one packet a core cycle off the network and shows it to the core in the next.
void MemorySystem::deliver_reply(unsigned core, SectorRef ref, unsigned flits, Cycle arrival) {
  CorePort& port = ports_[core];
  port.last_visible = std::max(arrival, port.last_visible) + 1;
  Transaction& transaction = transactions_[ref.transaction()];
  if (--transaction.pending != 0) {
    replies_.release(core, flits);
    return;
  }
  const Cycle latency = port.last_visible - transaction.injected;
  ++responses_;
  latency_sum_ += latency;
  latency_max_ = std::max(latency_max_, latency);
  if (port.responses.empty()) core_wheel_.wake(core, port.last_visible);
  port.responses.push({port.last_visible, transaction.request, flits});
  transactions_.release(ref.transaction());
}

void MemorySystem::warm(std::uint64_t address, std::uint64_t bytes) {
  if (spec_.l2.filled_by_copies) pass(address, bytes, false);
}

void MemorySystem::pass(std::uint64_t address, std::uint64_t bytes, bool is_write) {
  const std::uint64_t end = address + bytes;
  while (address < end) {
    const std::uint64_t line_end = (address / AddressMapping::kLineBytes + 1) * AddressMapping::kLineBytes;
    const std::uint64_t stop = std::min(end, line_end);
    const auto first = static_cast<unsigned>(address % AddressMapping::kLineBytes / spec_.l2.sector_bytes);
    const auto last = static_cast<unsigned>((stop - 1) % AddressMapping::kLineBytes / spec_.l2.sector_bytes);
    const SliceLine at = mapping_.locate(address);
    slices_[at.slice].warm(at.line, static_cast<std::uint8_t>(bit(last + 1) - bit(first)), is_write);
    address = stop;
  }
}

MemoryStatistics MemorySystem::statistics() const {
  MemoryStatistics sum;
  for (const L2Slice& slice : slices_) sum.l2 += slice.statistics();
  for (const DramChannel& channel : channels_) sum.dram += channel.statistics();
  sum.request_flits = requests_.flits_carried();
  sum.reply_flits = replies_.flits_carried();
  sum.responses = responses_;
  sum.latency_sum = latency_sum_;
  sum.latency_max = latency_max_;
  return sum;
}

void MemorySystem::end_kernel() {
  for (Cycle next = next_event(); next != kNever; next = next_event()) advance(next);
  requests_.reset_clock();
  replies_.reset_clock();
  for (L2Slice& slice : slices_) slice.reset_clock();
  for (DramChannel& channel : channels_) channel.reset_clock();
  slice_wheel_.reset();
  channel_wheel_.reset();
  core_wheel_.reset();
  clock_ = 0;
  for (CorePort& port : ports_) port.reset_clock();
}

}  // namespace warpfork::memory
