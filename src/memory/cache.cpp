#include "memory/cache.h"

#include <bit>

#include "base/error.h"

namespace warpfork::memory {
namespace {

constexpr std::uint8_t kWholeLine = 1;  // the one sector of a line without sectors

}  // namespace

Cache::Cache(const CacheSpec& spec, std::string_view keys)
    : spec_(spec),
      line_shift_(static_cast<unsigned>(std::countr_zero(spec.line_bytes))),
      tags_(spec.sets, spec.ways, spec.line_bytes, spec.hash_index, keys),
      mshr_(spec.mshr_entries, spec.mshr_merges, keys),
      entries_(tags_.places(), Mshr::kNone),
      miss_queue_(spec.miss_queue),
      ready_(spec.mshr_entries) {
  if (spec.miss_queue < 2) throw Error("{}.miss_queue is {}; a miss may need 2 places", keys, spec.miss_queue);
  if (spec.data_port_bytes == 0) throw Error("{}.data_port_bytes is 0; it must be at least 1", keys);
}

Cache::Outcome Cache::access(const MemoryRequest& request, Cycle now, bool local) {
  if (port_busy_until_ != 0 && now <= port_busy_until_) return count(Outcome::ReservationFailed);
  if (!is_write(request.kind)) return count(read(request, now));
  return count(local ? write_local(request) : write_through(request));
}

inline Cache::Outcome Cache::read(const MemoryRequest& request, Cycle now) {
  const std::uint64_t line = request.address >> line_shift_;
  if (refuses(request)) return Outcome::ReservationFailed;
  const std::uint32_t place = tags_.find(line);
  if (place != TagArray::kNone) {
    if (tags_.state(place).valid) return read_hit(request, place, now);
    tags_.touch(place);
    return merge(entries_[place], request.token);
  }
  if (spec_.allocate_on_fill) {
    const std::uint32_t entry = mshr_.find(line);
    if (entry != Mshr::kNone) return merge(entry, request.token);
  }
  return read_miss(request, line);
}

inline Cache::Outcome Cache::read_hit(const MemoryRequest& request, std::uint32_t place, Cycle now) {
  tags_.touch(place);
  if (request.bytes > spec_.data_port_bytes) port_busy_until_ = now + (request.bytes - 1) / spec_.data_port_bytes;
  return Outcome::Hit;
}

[[gnu::noinline]] Cache::Outcome Cache::read_miss(const MemoryRequest& request, std::uint64_t line) {
  // A load may also have to write its victim back; the other kinds only ever meet clean lines.
  if (mshr_.full() || !queue_has_room(request.kind == AccessKind::Load ? 2 : 1)) return refuse(request, line);
  std::uint32_t place = TagArray::kNone;
  if (!spec_.allocate_on_fill) {
    place = tags_.victim(line);
    if (place == TagArray::kNone) return refuse(request, line);
  }
  const std::uint32_t entry = mshr_.allocate(line);
  mshr_.merge(entry, request.token);
  MemoryRequest whole = request;
  whole.address = line << line_shift_;
  whole.bytes = spec_.line_bytes;
  miss_queue_.push(whole);
  if (place != TagArray::kNone) {
    take_place(place, line, request.core);
    tags_.state(place).pending = kWholeLine;
    entries_[place] = entry;
  }
  return Outcome::Miss;
}

inline Cache::Outcome Cache::refuse(const MemoryRequest& request, std::uint64_t line) {
  refused_ = {line, request.kind};
  return Outcome::ReservationFailed;
}

void Cache::take_place(std::uint32_t place, std::uint64_t line, std::uint16_t core) {
  if (tags_.state(place).dirty) {
    miss_queue_.push({tags_.line(place) << line_shift_, spec_.line_bytes, AccessKind::WriteBack, core, 0});
    ++statistics_.write_backs;
  }
  tags_.replace(place, line);
}

Cache::Outcome Cache::merge(std::uint32_t entry, std::uint32_t token) {
  if (!mshr_.can_merge(entry)) return Outcome::ReservationFailed;
  mshr_.merge(entry, token);
  return Outcome::HitPending;
}

Cache::Outcome Cache::write_through(const MemoryRequest& request) {
  if (!queue_has_room(1)) return Outcome::ReservationFailed;
  drop(request.address >> line_shift_);
  miss_queue_.push(request);
  return Outcome::Miss;
}

inline void Cache::drop(std::uint64_t line) {
  const std::uint32_t place = tags_.find(line);
  if (place != TagArray::kNone && tags_.state(place).valid) tags_.drop(place);
}

Cache::Outcome Cache::write_local(const MemoryRequest& request) {
  const std::uint64_t line = request.address >> line_shift_;
  std::uint32_t place = tags_.find(line);
  if (place == TagArray::kNone && spec_.allocate_local_stores && request.bytes == spec_.line_bytes) {
    place = tags_.victim(line);
    if (place == TagArray::kNone || !queue_has_room(1)) return Outcome::ReservationFailed;
    take_place(place, line, request.core);
    tags_.state(place).valid = kWholeLine;
  }
  if (place != TagArray::kNone && tags_.state(place).valid) {
    tags_.touch(place);
    tags_.state(place).dirty = kWholeLine;
    return Outcome::Hit;
  }
  if (!queue_has_room(1)) return Outcome::ReservationFailed;
  miss_queue_.push(request);
  return Outcome::Miss;
}

bool Cache::pass(std::uint64_t address, bool is_write) {
  const std::uint64_t line = address >> line_shift_;
  refused_ = {};
  if (is_write) {
    drop(line);
    return false;
  }
  std::uint32_t place = tags_.find(line);
  if (place != TagArray::kNone) {
    tags_.touch(place);
    return true;
  }
  if (spec_.allocate_on_fill && mshr_.find(line) != Mshr::kNone) return true;
  place = tags_.victim(line);
  if (place == TagArray::kNone) return false;
  tags_.replace(place, line);
  tags_.state(place).valid = kWholeLine;
  return false;
}

void Cache::fill(std::uint64_t line_address, Cycle) {
  const std::uint64_t line = line_address >> line_shift_;
  std::uint32_t place = tags_.find(line);
  std::uint32_t entry = Mshr::kNone;
  if (spec_.allocate_on_fill) {
    entry = mshr_.find(line);
  } else if (place != TagArray::kNone && tags_.state(place).pending) {
    entry = entries_[place];
  }
  check(entry != Mshr::kNone,
        [&] { return fmt::format("cache: line {:#x} arrived but no miss waits for it", line_address); });
  if (spec_.allocate_on_fill) {
    place = tags_.victim(line);
    tags_.replace(place, line);
  }
  tags_.state(place) = {.valid = kWholeLine};
  for (const std::uint32_t token : mshr_.waiters(entry)) ready_.push(token);
  mshr_.release(entry);
  refused_ = {};
}

inline Cache::Outcome Cache::count(Outcome outcome) {
  switch (outcome) {
    case Outcome::Hit:
      ++statistics_.hits;
      break;
    case Outcome::Miss:
      ++statistics_.misses;
      break;
    case Outcome::HitPending:
      ++statistics_.hit_pending;
      break;
    case Outcome::ReservationFailed:
      ++statistics_.reservation_fails;
      return outcome;
  }
  ++statistics_.accesses;
  refused_ = {};  // by what was taken that read may find its line
  return outcome;
}

}  // namespace warpfork::memory
