// What a program has advised about managed memory (CUDA Runtime API, "Memory Management", cudaMemAdvise).
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <map>

namespace warpfork::cuda {

/// Changes nothing but what the program is told when it asks. Places are device 0, cudaCpuDeviceId, or
/// cudaInvalidDeviceId for none.
class MemoryAdvice {
 public:
  struct Advice {
    bool is_mostly_read = false, is_accessed_by_host = false, is_accessed_by_device = false;
    int preferred = cudaInvalidDeviceId, prefetched = cudaInvalidDeviceId;
    bool operator==(const Advice&) const = default;
  };
  /// change(advice) of every part of [begin, begin + bytes).
  template <typename Change>
  void change(std::uint64_t begin, std::uint64_t bytes, Change&& change) {
    part(begin);
    part(begin + bytes);
    for (auto at = advice_.find(begin); at->first != begin + bytes; ++at) change(at->second);
    join(begin, begin + bytes);
  }
  void forget(std::uint64_t begin, std::uint64_t bytes) {
    change(begin, bytes, [](Advice& advice) { advice = {}; });
  }
  /// What holds for the whole range: elsewhere it is no advice.
  Advice of(std::uint64_t begin, std::uint64_t bytes) const;
  /// Of the address space, each with the same advice throughout, and another than its neighbours.
  std::size_t parts() const { return advice_.size(); }

 private:
  /// Lets something begin at the address.
  void part(std::uint64_t address);
  /// Lets nothing begin in [begin, end] that is as what is before it.
  void join(std::uint64_t begin, std::uint64_t end);

  std::map<std::uint64_t, Advice> advice_{{0, {}}};  // from the address on to the next
};

}  // namespace warpfork::cuda
