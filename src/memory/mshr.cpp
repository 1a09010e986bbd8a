#include "memory/mshr.h"

#include "base/error.h"

namespace warpfork::memory {
namespace {

constexpr std::uint64_t kFree = ~std::uint64_t{0};

}  // namespace

Mshr::Mshr(unsigned entries, unsigned merges, std::string_view keys)
    : merges_(merges),
      addresses_(entries, kFree),
      counts_(entries, 0),
      waiters_(std::size_t{entries} * merges),
      free_(entries) {
  if (entries == 0 || merges == 0)
    throw Error("{0}.mshr_entries is {1} and {0}.mshr_merges {2}; both must be at least 1", keys, entries, merges);
  for (unsigned i = 0; i < entries; ++i) free_[i] = entries - 1 - i;
}

std::uint32_t Mshr::allocate(std::uint64_t address) {
  const std::uint32_t entry = free_.back();
  free_.pop_back();
  addresses_[entry] = address;
  return entry;
}

std::uint32_t Mshr::find(std::uint64_t address) const {
  for (std::uint32_t i = 0; i < addresses_.size(); ++i)
    if (addresses_[i] == address) return i;
  return kNone;
}

void Mshr::release(std::uint32_t entry) {
  addresses_[entry] = kFree;
  counts_[entry] = 0;
  free_.push_back(entry);
}

}  // namespace warpfork::memory
