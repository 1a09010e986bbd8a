#include "memory/l2_slice.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace warpfork::memory {
namespace {

/// Whether the request writes every byte of the sector.
bool covers(const MemoryRequest& request, unsigned sector, unsigned sector_bytes) {
  const std::uint64_t begin = request.address % AddressMapping::kLineBytes;
  return begin <= sector * sector_bytes && begin + request.bytes >= (sector + 1) * sector_bytes;
}

}  // namespace

L2Slice::L2Slice(const L2Spec& spec, const AddressMapping& mapping, unsigned number, TransactionTable& transactions,
                 Crossbar& requests, Crossbar& replies)
    : requests_(64),
      answers_(spec.mshr_entries),
      misses_(spec.miss_queue),
      to_dram_(spec.dram_queue),
      fills_(spec.fill_queue),
      spec_(spec),
      mapping_(mapping),
      number_(number),
      transactions_(transactions),
      request_network_(requests),
      replies_(replies),
      sectors_per_line_(AddressMapping::kLineBytes / spec.sector_bytes),
      read_flits_(replies.flits_of(kHeaderBytes + spec.sector_bytes)),
      acknowledgement_flits_(replies.flits_of(kHeaderBytes)),
      tags_(spec.sets, spec.ways, AddressMapping::kLineBytes, false, "memory.l2"),
      mshr_(spec.mshr_entries, spec.mshr_merges, "memory.l2"),
      entries_(std::size_t{tags_.places()} * sectors_per_line_, Mshr::kNone) {
  if (spec.miss_queue < 2) throw Error("memory.l2.miss_queue is {}; a read miss needs 2 places", spec.miss_queue);
  if (spec.request_queue < sectors_per_line_)
    throw Error("memory.l2.request_queue is {}, shorter than a line of {} sectors", spec.request_queue,
                sectors_per_line_);
  if (spec.dram_queue == 0 || spec.fill_queue == 0)
    throw Error("memory.l2.{} is 0; it must be at least 1, or no miss would ever end",
                spec.dram_queue == 0 ? "dram_queue" : "fill_queue");
  if (spec.data_port_bytes == 0) throw Error("memory.l2.data_port_bytes is 0; it must be at least 1");
}

void L2Slice::expect(std::uint32_t number, unsigned flits, Cycle at) {
  const Transaction& transaction = transactions_[number];
  requests_.push({.ready = at,
                  .line = transaction.line,
                  .transaction = number,
                  .core = static_cast<std::uint8_t>(transaction.request.core),
                  .first_sector = transaction.first_sector,
                  .sectors = transaction.sectors,
                  .flits = static_cast<std::uint8_t>(flits),
                  .kind = transaction.request.kind});
}

// All sectors of a request must find room in the sector queue before it is let in.
inline void L2Slice::accept(Cycle now) {
  Request& request = requests_[accepted_];
  if (request.ready > now || queued_sectors_ + sectors_per_line_ > spec_.request_queue) return;
  request.ready = now + spec_.rop_delay;
  request_network_.release(number_, request.flits);
  ++accepted_;
}

inline void L2Slice::leave_delay(Cycle now) {
  const Request& request = requests_[entering_];
  if (request.ready > now || queued_sectors_ >= spec_.request_queue) return;
  ++queued_sectors_;
  if (++entered_ < request.sectors) return;
  entered_ = 0;
  ++entering_;
}

// The sectors of a request come one after the other: mostly the line is where it was the last time.
inline std::uint32_t L2Slice::find(std::uint64_t line) {
  if (tags_.line(last_place_) == line) return last_place_;
  const std::uint32_t place = tags_.find(line);
  if (place != TagArray::kNone) last_place_ = place;
  return place;
}

inline L2Slice::Result L2Slice::read(const Request& request, unsigned sector, Tick tick, Cycle now) {
  const std::uint32_t place = find(request.line);
  if (place == TagArray::kNone) return read_miss(request, sector, place, now);
  LineState& state = tags_.state(place);
  const std::uint8_t bit = static_cast<std::uint8_t>(1u << sector);
  if (state.valid & ~state.partial & bit) {
    tags_.touch(place);
    if (request.kind == AccessKind::Atomic) state.dirty |= bit;
    replies_.send(number_, request.core, read_flits_, SectorRef(request.transaction, sector).bits(), tick + 1);
    return Result::Hit;
  }
  if (!(state.pending & bit)) return read_miss(request, sector, place, now);
  const std::uint32_t entry = entry_of(place, sector);
  if (!mshr_.can_merge(entry)) return Result::Refused;
  mshr_.merge(entry, SectorRef(request.transaction, sector).bits());
  tags_.touch(place);
  return Result::Pending;
}

inline void L2Slice::access(Tick tick, Cycle now) {
  if (to_dram_.size() >= spec_.dram_queue || now < port_free_ || !can_reply(tick)) return;
  const Request& request = requests_.front();
  const unsigned sector = request.first_sector + accessed_;
  switch (is_write(request.kind) ? write(request, sector, tick, now) : read(request, sector, tick, now)) {
    case Result::Refused:
      ++statistics_.reservation_fails;
      return;
    case Result::Hit:
      ++statistics_.hits;
      break;
    case Result::Miss:
      ++statistics_.misses;
      break;
    case Result::Pending:
      ++statistics_.hit_pending;
      break;
  }
  ++statistics_.accesses;
  --queued_sectors_;
  if (++accessed_ < request.sectors) return;
  accessed_ = 0;
  requests_.pop();
  --entering_;
  --accepted_;
}

Cycle L2Slice::tick(Tick tick, Cycle now) {
  if (accepted_ != requests_.size()) accept(now);
  if (!answers_.empty()) answer_fill(tick);
  if (!fills_.empty()) take_fill();
  if (!misses_.empty()) send_miss();
  if (queued_sectors_ != 0) access(tick, now);
  if (entering_ != accepted_) leave_delay(now);
  if (queued_sectors_ != 0 || !answers_.empty() || !fills_.empty() || !misses_.empty()) return now + 1;
  const Cycle delayed = entering_ == accepted_ ? kNever : requests_[entering_].ready;
  const Cycle arriving = accepted_ == requests_.size() ? kNever : requests_[accepted_].ready;
  return std::max(std::min(delayed, arriving), now + 1);
}

void L2Slice::answer_fill(Tick tick) {
  if (!can_reply(tick)) return;
  const SectorRef ref = answers_.front();
  replies_.send(number_, transactions_[ref.transaction()].request.core, read_flits_, ref.bits(), tick + 1);
  answers_.pop();
}

void L2Slice::take_fill() {
  const std::uint32_t entry = fills_.front();
  fills_.pop();
  const auto place = static_cast<std::uint32_t>(mshr_.address(entry) / sectors_per_line_);
  const std::uint8_t bit = static_cast<std::uint8_t>(1u << mshr_.address(entry) % sectors_per_line_);
  LineState& state = tags_.state(place);
  state.pending &= ~bit;
  state.partial &= ~bit;
  state.valid |= bit;
  for (const std::uint32_t waiter : mshr_.waiters(entry)) {
    const SectorRef ref(waiter);
    if (transactions_[ref.transaction()].request.kind == AccessKind::Atomic) state.dirty |= bit;
    answers_.push(ref);
  }
  mshr_.release(entry);
}

void L2Slice::send_miss() {
  if (to_dram_.size() >= spec_.dram_queue) return;
  to_dram_.push(misses_.front());
  misses_.pop();
}

// `place` holds the line without the sector, or is kNone. Two places in the miss queue: the victim may go there too.
L2Slice::Result L2Slice::read_miss(const Request& request, unsigned sector, std::uint32_t place, Cycle now) {
  if (misses_.size() + 2 > spec_.miss_queue || mshr_.full()) return Result::Refused;
  const bool replaces = place == TagArray::kNone;
  if (replaces) place = tags_.victim(request.line);
  if (place == TagArray::kNone) return Result::Refused;
  const std::uint32_t entry = mshr_.allocate(std::uint64_t{place} * sectors_per_line_ + sector);
  mshr_.merge(entry, SectorRef(request.transaction, sector).bits());
  DramRequest fetch = request_for(request.line);
  fetch.tag = entry;
  misses_.push(fetch);
  if (replaces) {
    take_place(place, request.line, now);
  } else {
    tags_.touch(place);
  }
  tags_.state(place).pending |= static_cast<std::uint8_t>(1u << sector);
  entry_of(place, sector) = entry;
  return Result::Miss;
}

L2Slice::Result L2Slice::write(const Request& request, unsigned sector, Tick tick, Cycle now) {
  std::uint32_t place = find(request.line);
  const std::uint8_t bit = static_cast<std::uint8_t>(1u << sector);
  const bool hit = place != TagArray::kNone && tags_.state(place).valid & bit;
  if (!hit && misses_.size() >= spec_.miss_queue) return Result::Refused;
  if (place == TagArray::kNone) {
    place = tags_.victim(request.line);
    if (place == TagArray::kNone) return Result::Refused;
    take_place(place, request.line, now);
  } else {
    tags_.touch(place);
  }
  LineState& state = tags_.state(place);
  if (covers(transactions_[request.transaction].request, sector, spec_.sector_bytes)) {
    state.partial &= ~bit;
  } else if (!hit) {
    state.partial |= bit;
  }
  state.valid |= bit;
  state.dirty |= bit;
  acknowledge(request, sector, tick);
  return hit ? Result::Hit : Result::Miss;
}

// A write-back's sender does not wait: it takes no part in the reply traffic.
void L2Slice::acknowledge(const Request& request, unsigned sector, Tick tick) {
  if (request.kind != AccessKind::WriteBack) {
    replies_.send(number_, request.core, acknowledgement_flits_, SectorRef(request.transaction, sector).bits(),
                  tick + 1);
  } else if (--transactions_[request.transaction].pending == 0) {
    transactions_.release(request.transaction);
  }
}

void L2Slice::take_place(std::uint32_t place, std::uint64_t line, Cycle now) {
  if (tags_.state(place).dirty) write_back(place, now);
  tags_.replace(place, line);
}

void L2Slice::write_back(std::uint32_t place, Cycle now) {
  const unsigned bytes = static_cast<unsigned>(std::popcount(tags_.state(place).dirty)) * spec_.sector_bytes;
  DramRequest request = request_for(tags_.line(place));
  request.write = true;
  request.bytes = bytes;
  misses_.push(request);
  ++statistics_.write_backs;
  port_free_ = now + bytes / spec_.data_port_bytes;
}

DramRequest L2Slice::request_for(std::uint64_t line) const {
  const DramLocation at = mapping_.dram({number_, static_cast<std::uint32_t>(line)});
  DramRequest request;
  request.row = at.row;
  request.bank = static_cast<std::uint8_t>(at.bank);
  request.slice = static_cast<std::uint8_t>(number_);
  request.bytes = spec_.sector_bytes;
  return request;
}

void L2Slice::warm(std::uint64_t line, std::uint8_t sectors, bool is_write) {
  std::uint32_t place = tags_.find(line);
  if (place == TagArray::kNone) {
    place = tags_.victim(line);
    if (place == TagArray::kNone) return;
    tags_.replace(place, line);
  } else {
    tags_.touch(place);
  }
  tags_.state(place).valid |= sectors;
  tags_.state(place).partial &= static_cast<std::uint8_t>(~sectors);
  if (is_write) tags_.state(place).dirty |= sectors;
}

}  // namespace warpfork::memory
