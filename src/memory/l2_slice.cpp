#include "memory/l2_slice.h"

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

L2Slice::L2Slice(const L2Spec& spec, const AddressMapping& mapping, TransactionTable& transactions, unsigned number)
    : spec_(spec),
      mapping_(mapping),
      transactions_(transactions),
      number_(number),
      sectors_per_line_(AddressMapping::kLineBytes / spec.sector_bytes),
      tags_(spec.sets, spec.ways, AddressMapping::kLineBytes, false),
      mshr_(spec.mshr_entries, spec.mshr_merges),
      entries_(std::size_t{tags_.places()} * sectors_per_line_, Mshr::kNone),
      delayed_(256),
      sectors_(spec.request_queue),
      replies_(spec.reply_queue),
      answers_(spec.mshr_entries),
      misses_(spec.miss_queue),
      to_dram_(spec.dram_queue),
      fills_(spec.fill_queue) {
  if (spec.miss_queue < 2) throw Error("l2: miss_queue = {}: a read miss needs 2 places", spec.miss_queue);
  if (spec.request_queue < sectors_per_line_)
    throw Error("l2: request_queue = {} is shorter than a line of {} sectors", spec.request_queue, sectors_per_line_);
  if (spec.data_port_bytes == 0) throw Error("l2: data_port_bytes must be at least 1");
}

void L2Slice::accept(std::uint32_t transaction, Cycle now) { delayed_.push({now + spec_.rop_delay, transaction}); }

bool L2Slice::tick(Cycle now) {
  if (!answers_.empty()) answer_fill();
  if (!fills_.empty()) take_fill();
  if (!misses_.empty()) send_miss();
  if (!sectors_.empty()) access(now);
  if (!delayed_.empty()) leave_delay(now);
  return !(sectors_.empty() && replies_.empty() && answers_.empty() && fills_.empty() && misses_.empty());
}

void L2Slice::answer_fill() {
  if (replies_.size() >= spec_.reply_queue) return;
  replies_.push(answers_.front());
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

void L2Slice::access(Cycle now) {
  if (to_dram_.size() >= spec_.dram_queue || replies_.size() >= spec_.reply_queue || now < port_free_) return;
  const SectorRef ref = sectors_.front();
  const Transaction& transaction = transactions_[ref.transaction()];
  const Result result = is_write(transaction.request.kind) ? write(ref, transaction, now) : read(ref, transaction, now);
  if (result == Result::Refused) {
    ++statistics_.reservation_fails;
    return;
  }
  sectors_.pop();
  ++statistics_.accesses;
  statistics_.hits += result == Result::Hit;
  statistics_.misses += result == Result::Miss;
  statistics_.hit_pending += result == Result::Pending;
}

void L2Slice::leave_delay(Cycle now) {
  const Delayed& head = delayed_.front();
  if (head.ready > now || sectors_.size() >= spec_.request_queue) return;
  const Transaction& transaction = transactions_[head.transaction];
  sectors_.push(SectorRef(head.transaction, transaction.first_sector + delayed_sector_));
  if (++delayed_sector_ < transaction.sectors) return;
  delayed_sector_ = 0;
  delayed_.pop();
}

L2Slice::Result L2Slice::read(SectorRef ref, const Transaction& transaction, Cycle now) {
  const std::uint32_t place = tags_.find(transaction.line);
  if (place == TagArray::kNone) return read_miss(ref, transaction, place, now);
  LineState& state = tags_.state(place);
  const std::uint8_t bit = static_cast<std::uint8_t>(1u << ref.sector());
  if (state.valid & ~state.partial & bit) {
    tags_.touch(place);
    if (transaction.request.kind == AccessKind::Atomic) state.dirty |= bit;
    replies_.push(ref);
    return Result::Hit;
  }
  if (!(state.pending & bit)) return read_miss(ref, transaction, place, now);
  const std::uint32_t entry = entry_of(place, ref.sector());
  if (!mshr_.can_merge(entry)) return Result::Refused;
  mshr_.merge(entry, ref.bits());
  tags_.touch(place);
  return Result::Pending;
}

// `place` holds the line without the sector, or is kNone. Two places in the miss queue: the victim may go there too.
L2Slice::Result L2Slice::read_miss(SectorRef ref, const Transaction& transaction, std::uint32_t place, Cycle now) {
  if (misses_.size() + 2 > spec_.miss_queue || mshr_.full()) return Result::Refused;
  const bool replaces = place == TagArray::kNone;
  if (replaces) place = tags_.victim(transaction.line);
  if (place == TagArray::kNone) return Result::Refused;
  const std::uint32_t entry = mshr_.allocate(std::uint64_t{place} * sectors_per_line_ + ref.sector());
  mshr_.merge(entry, ref.bits());
  DramRequest request = request_for(transaction.line);
  request.tag = entry;
  misses_.push(request);
  if (replaces) {
    take_place(place, transaction.line, now);
  } else {
    tags_.touch(place);
  }
  tags_.state(place).pending |= static_cast<std::uint8_t>(1u << ref.sector());
  entry_of(place, ref.sector()) = entry;
  return Result::Miss;
}

L2Slice::Result L2Slice::write(SectorRef ref, const Transaction& transaction, Cycle now) {
  std::uint32_t place = tags_.find(transaction.line);
  const std::uint8_t bit = static_cast<std::uint8_t>(1u << ref.sector());
  const bool hit = place != TagArray::kNone && tags_.state(place).valid & bit;
  if (!hit && misses_.size() >= spec_.miss_queue) return Result::Refused;
  if (place == TagArray::kNone) {
    place = tags_.victim(transaction.line);
    if (place == TagArray::kNone) return Result::Refused;
    take_place(place, transaction.line, now);
  } else {
    tags_.touch(place);
  }
  LineState& state = tags_.state(place);
  if (covers(transaction.request, ref.sector(), spec_.sector_bytes)) {
    state.partial &= ~bit;
  } else if (!hit) {
    state.partial |= bit;
  }
  state.valid |= bit;
  state.dirty |= bit;
  // A write-back's sender does not wait: the answer takes no part in the traffic.
  if (transaction.request.kind != AccessKind::WriteBack) {
    replies_.push(ref);
  } else if (--transactions_[ref.transaction()].pending == 0) {
    transactions_.release(ref.transaction());
  }
  return hit ? Result::Hit : Result::Miss;
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
  const DramLocation at = mapping_.dram({number_, line});
  DramRequest request;
  request.row = at.row;
  request.bank = static_cast<std::uint8_t>(at.bank);
  request.slice = static_cast<std::uint8_t>(number_);
  request.bytes = spec_.sector_bytes;
  return request;
}

void L2Slice::warm(std::uint64_t line, std::uint8_t sectors) {
  std::uint32_t place = tags_.find(line);
  if (place == TagArray::kNone) {
    place = tags_.victim(line);
    tags_.replace(place, line);
  } else {
    tags_.touch(place);
  }
  tags_.state(place).valid |= sectors;
  tags_.state(place).partial &= static_cast<std::uint8_t>(~sectors);
}

}  // namespace warpfork::memory
