#include "cuda/runtime/memory_advice.h"

#include <iterator>

namespace warpfork::cuda {

void MemoryAdvice::part(std::uint64_t address) {
  const auto before = std::prev(advice_.upper_bound(address));
  if (before->first != address) advice_.emplace(address, before->second);
}

void MemoryAdvice::join(std::uint64_t begin, std::uint64_t end) {
  for (auto at = advice_.find(begin); at != advice_.end() && at->first <= end;) {
    const bool is_as_before = at != advice_.begin() && at->second == std::prev(at)->second;
    at = is_as_before ? advice_.erase(at) : std::next(at);
  }
}

MemoryAdvice::Advice MemoryAdvice::of(std::uint64_t begin, std::uint64_t bytes) const {
  auto at = std::prev(advice_.upper_bound(begin));
  Advice whole = at->second;
  for (++at; at != advice_.end() && at->first < begin + bytes; ++at) {
    const Advice& part = at->second;
    whole.is_mostly_read &= part.is_mostly_read;
    whole.is_accessed_by_host &= part.is_accessed_by_host;
    whole.is_accessed_by_device &= part.is_accessed_by_device;
    if (whole.preferred != part.preferred) whole.preferred = cudaInvalidDeviceId;
    if (whole.prefetched != part.prefetched) whole.prefetched = cudaInvalidDeviceId;
  }
  return whole;
}

}  // namespace warpfork::cuda
