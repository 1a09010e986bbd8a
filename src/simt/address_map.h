// Where everything lies in the device's one address space (PTX ISA, "Generic Addressing"; the places are our choice;
// docs/adr/0019).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace warpfork::simt {

/// The addresses from `begin` up to, but not with, `end`.
struct AddressRange {
  std::uint64_t begin, end;

  constexpr std::uint64_t bytes() const { return end - begin; }
  constexpr bool contains(std::uint64_t address) const { return address >= begin && address < end; }
};

// Generic addresses of what is not in device memory. These windows lie below 4 GiB so that modules with 32-bit
// addresses work. An address within a space (what `mov` gives for a variable) counts from the start of its window;
// global and const addresses are device addresses.
inline constexpr AddressRange kSharedWindow{0x80000000, 0x90000000};
inline constexpr AddressRange kLocalWindow{0x90000000, 0xB0000000};
inline constexpr AddressRange kParamWindow{0xB0000000, 0xC0000000};

/// From the beginning of shared memory on, in blocks of a kernel that asks where it is: what NVIDIA's software keeps to
/// itself, as cooperative groups do for tiles wider than a warp; `kReservedSharedInUse` of it is in use (both as on an
/// NVIDIA H200). Variables lie behind it.
inline constexpr std::uint32_t kReservedSharedBytes = 1024, kReservedSharedInUse = 288;

/// Allocations, and variables of modules.
inline constexpr AddressRange kDeviceMemory{0xC0000000, 240ull << 30};

// What only caches and channels see. GPGPU-Sim fetches its code from 0xF0000000 on; code and parameters lie 240 GiB
// further on. These are whole rounds of both six and eight channels over all their DRAM rows (6 × 256 MiB, 8 × 256
// MiB), so that channel, slice, set, bank and row are those of the lower addresses.
inline constexpr AddressRange kCode{(240ull << 30) + 0xF0000000, 244ull << 30};
inline constexpr AddressRange kParameters{244ull << 30, 245ull << 30};
/// Entries of reconvergence tables (docs/adr/0014).
inline constexpr AddressRange kReconvergenceTables{(250ull << 30) - (4 << 20), (250ull << 30) + (4 << 20)};
/// Of all threads of all cores (docs/adr/0008).
inline constexpr AddressRange kLocalMemory{256ull << 30, 512ull << 30};

inline constexpr std::array kAddressMap{kSharedWindow, kLocalWindow, kParamWindow,         kDeviceMemory,
                                        kCode,         kParameters,  kReconvergenceTables, kLocalMemory};

static_assert(std::ranges::all_of(kAddressMap, [](AddressRange range) { return range.begin < range.end; }));
static_assert(std::ranges::adjacent_find(kAddressMap, [](AddressRange lower, AddressRange upper) {
                return lower.end > upper.begin;
              }) == kAddressMap.end());
static_assert(kParamWindow.end <= 1ull << 32, "a window is out of reach of 32-bit addresses");
// An L2 tag is a line number of 32 bits within a slice (memory::SliceLine).
static_assert(kAddressMap.back().end <= (1ull << 32) * 128, "the tags of a lone L2 slice cannot name an address");

}  // namespace warpfork::simt
