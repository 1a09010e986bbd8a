#include "gpu/fetch_unit.h"

#include <algorithm>

namespace warpfork::gpu {

FetchUnit::FetchUnit(const CoreSpec& spec, unsigned core, memory::MemorySystem& memory)
    : memory_(memory),
      cache_(spec.l1i, "core.l1i"),
      core_(core),
      instruction_bytes_(spec.instruction_bytes),
      fetch_bytes_(spec.fetch_bytes),
      capacity_(spec.instruction_buffer),
      at_once_(std::min(capacity_, fetch_bytes_ / instruction_bytes_)) {}

void FetchUnit::fetch(const InstructionBuffers& buffers, const EntrySet& wanting, Cycle now) {
  if (const MemoryRequest* request = cache_.outgoing(); request != nullptr && memory_.can_inject(core_, 0, now)) {
    memory_.inject(*request, now);
    cache_.pop_outgoing();
  }
  if (fetched_) return;
  if (cache_.has_ready()) {
    const unsigned entry = cache_.pop_ready();
    missing_.erase(entry);
    // Meanwhile the entry may have passed to another split, or to another kernel: its line is another one.
    if (wanting.contains(entry) && awaited_[entry] == address_of(buffers[entry].fetch_pc)) deliver(buffers, entry);
    return;
  }
  const EntrySet candidates = wanting - missing_;
  if (candidates.none()) return;
  last_ = candidates.next_after(last_);
  const std::uint64_t address = address_of(buffers[last_].fetch_pc);
  if (cache_.hit(address, fetch_bytes_)) return deliver(buffers, last_);
  const MemoryRequest request{address, fetch_bytes_, AccessKind::Instruction, static_cast<std::uint16_t>(core_), last_};
  switch (cache_.access(request, now)) {
    case memory::Cache::Outcome::Hit:
      deliver(buffers, last_);
      break;
    case memory::Cache::Outcome::ReservationFailed:
      break;
    default:
      missing_.insert(last_);
      awaited_[last_] = address;
  }
}

void FetchUnit::deliver(const InstructionBuffers& buffers, unsigned entry) {
  const Pc pc = buffers[entry].fetch_pc;
  const unsigned line = cache_.spec().line_bytes;  // a power of two
  const unsigned rest = line - static_cast<unsigned>(address_of(pc) & (line - 1));
  fetched_ = Fetched{entry, pc, rest >= fetch_bytes_ ? at_once_ : std::min(capacity_, rest / instruction_bytes_)};
}

}  // namespace warpfork::gpu
