// The device's memory: allocations at stable addresses, functional contents only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simt/address_map.h"
#include "simt/memory_watch.h"
#include "simt/reserved_bytes.h"

namespace warpfork::simt {

/// One flat address space from kBase on. Allocations are made in order at 256-byte boundaries, as cudaMalloc does, and
/// never touch each other, so that the first access behind one is noticed; holes that free() left are used when the end
/// is reached.
class DeviceMemory {
 public:
  static constexpr std::uint64_t kBase = kDeviceMemory.begin;
  static constexpr std::uint64_t kAlignment = 256;

  /// Throws Error for more than the address map has room for.
  explicit DeviceMemory(std::uint64_t capacity_bytes);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Zero-filled. Throws Error if the capacity is exceeded. `label` stands in messages about nearby addresses.
  std::uint64_t allocate(std::uint64_t bytes, std::string label);
  /// The same at a given place, where an allocation of another memory lay. Throws Error if it is no such place here:
  /// not at a boundary, behind the capacity, or not free.
  void allocate_at(std::uint64_t address, std::uint64_t bytes, std::string label);
  /// Throws Error if `address` is not the start of an allocation.
  void free(std::uint64_t address);

  /// Host view of [address, address + bytes), or null if that is not inside one allocation.
  std::byte* find(std::uint64_t address, std::uint64_t bytes);
  /// The allocation that holds `address`; empty (bytes = 0) if there is none.
  struct Range {
    std::uint64_t begin = 0, bytes = 0;

    bool holds(std::uint64_t address, std::uint64_t size) const {
      return size <= bytes && address - begin <= bytes - size;
    }
  };
  Range allocation_at(std::uint64_t address) const;
  /// All of them, by ascending address.
  std::vector<Range> allocations() const;
  /// Its label; empty if there is none.
  std::string_view label_at(std::uint64_t address) const;
  /// Host address of kBase: the host address of a device address is host_base() + (address − kBase).
  std::byte* host_base() const { return contents_.begin(); }
  /// Bytes from kBase on in which allocations may lie.
  std::uint64_t capacity() const { return capacity_; }

  /// From here on what is allocated counts as not written until somebody says otherwise, and addresses that free() left
  /// are given again only when the end is reached.
  void watch();
  /// Null where nobody watches.
  MemoryWatch* watched() { return watch_ ? &*watch_ : nullptr; }

  /// Gives a kernel's instructions their place behind the code that was loaded before, and returns how many
  /// instructions that is.
  std::uint64_t place_code(std::uint64_t instructions) { return std::exchange(code_, code_ + instructions); }

  /// "nearest allocation: 'out', 128 bytes at 0xc0000000; the address is 4 bytes past its end"
  std::string describe_nearest(std::uint64_t address) const;

 private:
  struct Allocation {
    std::uint64_t bytes;
    std::string label;
  };
  /// Where `room` bytes fit, 0 if nowhere.
  std::uint64_t place(std::uint64_t room) const;

  std::uint64_t capacity_;  // bytes, whole kAlignment units
  ReservedBytes contents_;
  std::uint64_t next_ = kBase;
  std::map<std::uint64_t, Allocation> allocations_;
  std::optional<MemoryWatch> watch_;
  std::uint64_t code_ = 0;  // instructions
};

}  // namespace warpfork::simt
