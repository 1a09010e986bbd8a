#include "ooo/predict/branch_target_buffer.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace warpfork::ooo {

BranchTargetBuffer::BranchTargetBuffer(const BranchTargetBufferSpec& spec)
    : sets_(spec.sets), ways_(spec.ways), entries_(std::size_t{spec.sets} * spec.ways) {
  if (!std::has_single_bit(sets_) || ways_ == 0)
    throw Error("error: a branch target buffer of {} sets and {} ways\n  a power of two, and at least one", sets_,
                ways_);
}

std::uint64_t BranchTargetBuffer::target(std::uint64_t pc) const {
  const auto set = entries_.begin() + static_cast<std::ptrdiff_t>(set_of(pc));
  const auto found = std::find_if(set, set + ways_, [&](const Entry& entry) { return entry.pc == pc; });
  return found == set + ways_ ? 0 : found->target;
}

void BranchTargetBuffer::update(std::uint64_t pc, std::uint64_t target) {
  const auto set = entries_.begin() + static_cast<std::ptrdiff_t>(set_of(pc));
  auto place = std::find_if(set, set + ways_, [&](const Entry& entry) { return entry.pc == pc; });
  if (place == set + ways_) --place;  // whose update is longest ago
  std::rotate(set, place, place + 1);
  *set = {pc, target};
}

}  // namespace warpfork::ooo
