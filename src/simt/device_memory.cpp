#include "simt/device_memory.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/aligned.h"
#include "base/error.h"
#include "base/text.h"

namespace warpfork::simt {

namespace {

/// What an allocation takes of the address space: a byte at least behind it is nobody's.
std::uint64_t room_of(std::uint64_t bytes) { return aligned(bytes + 1, DeviceMemory::kAlignment); }

/// The capacity in whole kAlignment units.
std::uint64_t capacity_of(std::uint64_t bytes) {
  const std::uint64_t capacity = aligned(bytes, DeviceMemory::kAlignment);
  if (capacity > kDeviceMemory.bytes())
    throw Error("{} bytes of device memory do not fit into the address map; memory_bytes is at most {}", bytes,
                kDeviceMemory.bytes());
  return capacity;
}

}  // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity_bytes)
    : capacity_(capacity_of(capacity_bytes)),
      // The whole device, so that it can be addressed by one addition. At its own address if that is free: then the
      // host can use device addresses, as managed memory asks.
      contents_(capacity_, kBase) {}

std::uint64_t DeviceMemory::place(std::uint64_t room) const {
  if (room <= capacity_ - (next_ - kBase)) return next_;
  // The end is reached: the first hole that a free() left, the last of which lies behind all allocations.
  std::uint64_t hole = kBase;
  for (const auto& [begin, allocation] : allocations_) {
    if (room <= begin - hole) return hole;
    hole = begin + room_of(allocation.bytes);
  }
  return room <= kBase + capacity_ - hole ? hole : 0;
}

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes, std::string label) {
  const std::uint64_t address = bytes > capacity_ ? 0 : place(room_of(bytes));
  if (address == 0) {
    std::uint64_t used = 0;
    for (const auto& [begin, allocation] : allocations_) used += room_of(allocation.bytes);
    throw Error("out of device memory: '{}' asks for {}, {} of {} are free", label, counted(bytes, "byte"),
                capacity_ - used, capacity_);
  }
  next_ = std::max(next_, address + room_of(bytes));
  if (watch_) watch_->reuse(address, bytes);
  allocations_.emplace(address, Allocation{bytes, std::move(label)});
  return address;
}

void DeviceMemory::allocate_at(std::uint64_t address, std::uint64_t bytes, std::string label) {
  const std::uint64_t offset = address - kBase;
  if (address < kBase || offset % kAlignment != 0)
    throw Error("'{}': no allocation can begin at {:#x}", label, address);
  if (offset >= capacity_ || bytes >= capacity_ - offset)
    throw Error(
        "out of device memory: '{}' lies at {:#x}, {}, and the machine has {} bytes from {:#x} on\n"
        "  let its memory_bytes be larger",
        label, address, counted(bytes, "byte"), capacity_, kBase);
  const auto after = allocations_.lower_bound(address);
  const bool fits_behind =
      after == allocations_.begin() || std::prev(after)->first + room_of(std::prev(after)->second.bytes) <= address;
  if (!fits_behind || (after != allocations_.end() && after->first < address + room_of(bytes)))
    throw Error("'{}', {} at {:#x}: overlaps another allocation", label, counted(bytes, "byte"), address);
  next_ = std::max(next_, address + room_of(bytes));
  if (watch_) watch_->reuse(address, bytes);
  allocations_.emplace(address, Allocation{bytes, std::move(label)});
}

void DeviceMemory::free(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end())
    throw Error("cannot free {:#x}: no allocation starts there; {}", address, describe_nearest(address));
  contents_.clear(address - kBase, found->second.bytes);
  if (watch_) watch_->free(address, found->second.bytes, found->second.label);
  allocations_.erase(found);
  if (watch_) return;
  next_ = kBase;
  if (!allocations_.empty()) next_ = allocations_.rbegin()->first + room_of(allocations_.rbegin()->second.bytes);
}

void DeviceMemory::watch() { watch_.emplace(kBase, capacity_); }

DeviceMemory::Range DeviceMemory::allocation_at(std::uint64_t address) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return {};
  const auto& [begin, allocation] = *std::prev(after);
  if (address - begin >= allocation.bytes) return {};
  return {begin, allocation.bytes};
}

std::vector<DeviceMemory::Range> DeviceMemory::allocations() const {
  std::vector<Range> all;
  for (const auto& [begin, allocation] : allocations_) all.push_back({begin, allocation.bytes});
  return all;
}

std::string_view DeviceMemory::label_at(std::uint64_t address) const {
  const Range range = allocation_at(address);
  return range.bytes == 0 ? std::string_view() : allocations_.find(range.begin)->second.label;
}

std::byte* DeviceMemory::find(std::uint64_t address, std::uint64_t bytes) {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const auto& [begin, allocation] = *std::prev(after);
  if (address - begin > allocation.bytes || bytes > allocation.bytes - (address - begin)) return nullptr;
  return host_base() + (address - kBase);
}

std::string DeviceMemory::describe_nearest(std::uint64_t address) const {
  if (allocations_.empty()) return "nothing is allocated";
  const auto after = allocations_.upper_bound(address);
  const auto distance_before = [&] {
    if (after == allocations_.begin()) return ~std::uint64_t{0};
    const auto& [begin, allocation] = *std::prev(after);
    return address - begin < allocation.bytes ? 0 : address - begin - allocation.bytes;
  }();
  const std::uint64_t distance_after = after == allocations_.end() ? ~std::uint64_t{0} : after->first - address;
  const bool use_before = distance_before <= distance_after;
  const auto& [begin, allocation] = use_before ? *std::prev(after) : *after;
  const std::string what =
      fmt::format("nearest allocation: '{}', {} at {:#x}", allocation.label, counted(allocation.bytes, "byte"), begin);
  if (!use_before) return fmt::format("{}; the address is {} before its start", what, counted(distance_after, "byte"));
  if (address - begin < allocation.bytes)
    return fmt::format("{}; the address is {} into it", what, counted(address - begin, "byte"));
  return fmt::format("{}; the address is {} past its end", what, counted(distance_before, "byte"));
}

}  // namespace warpfork::simt
