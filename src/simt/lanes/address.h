// The load/store unit's view of one warp's memory instruction: per-lane addresses, checked, with the patterns that
// allow one copy for the whole warp told apart.
//
// Operands of memory instructions: [0] an AddressForm, from [1] on the data rows. Instruction::immediate is added to
// the base, or is the address.
#pragma once

#include <algorithm>

#include "simt/lanes/address_form.h"
#include "simt/lanes/lanewise.h"
#include "simt/memory_fault.h"

namespace warpfork::simt::WARPFORK_LANES {

enum class Pattern : std::uint8_t { Consecutive, Uniform, Scattered };

/// Writes base + offset into the addresses; whether those of the lanes lie side by side, `bytes` each.
template <typename T>
inline bool add_offset(MemoryAccess::Addresses& address, const std::byte* row, std::uint64_t offset, RowLanes lanes,
                       std::uint64_t bytes) {
  const Row<T> base(row);
  const unsigned lowest = lanes.any() ? lanes.lowest() : 0;
  // 32-bit addresses wrap at 32 bits.
  const T start = static_cast<T>(base[lowest] + offset - lowest * bytes);
  std::uint64_t elsewhere = 0;
  if (lanes.full()) {
    for (unsigned lane = 0; lane < kRowLanes; ++lane) {
      address[lane] = static_cast<T>(base[lane] + static_cast<T>(offset));
      elsewhere |= address[lane] ^ static_cast<T>(start + lane * bytes);
    }
  } else {
    const std::uint64_t bits = lanes.bits();
    for (unsigned lane = 0; lane < kRowLanes; ++lane) {
      address[lane] = static_cast<T>(base[lane] + static_cast<T>(offset));
      elsewhere |= (address[lane] ^ static_cast<T>(start + lane * bytes)) & lane_mask<std::uint64_t>(bits, lane);
    }
  }
  return elsewhere == 0;
}

/// The pattern of addresses that are not consecutive; throws if one of them is not aligned to the access.
inline Pattern look_closer(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const auto& address = warp.access.address;
  const std::uint64_t first = address[lanes.lowest()], low_bits = instruction.access_bytes - 1, bits = lanes.bits();
  std::uint64_t not_uniform = 0, all = 0;
  for (unsigned lane = 0; lane < kRowLanes; ++lane) {
    const std::uint64_t taken = lane_mask<std::uint64_t>(bits, lane);
    not_uniform |= (address[lane] ^ first) & taken;
    all |= address[lane] & taken;
  }
  if ((all & low_bits) != 0) [[unlikely]]
    fail_misaligned(instruction, warp, lanes);
  return not_uniform == 0 ? Pattern::Uniform : Pattern::Scattered;
}

/// Fills warp.access but for the kind of access: addresses of the lanes (others get what their stale registers say) and
/// how they lie to one another. Throws if one is not aligned to the access.
inline Pattern compute_addresses(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  auto& address = warp.access.address;
  const std::uint64_t offset = instruction.immediate, bytes = instruction.access_bytes;
  const std::uint32_t base = instruction.operand[0];
  warp.access.space = instruction.space;
  warp.access.lanes = of_row(lanes, 0);
  warp.access.bytes = instruction.access_bytes;
  if (base == AddressForm::kLiteral) {
    std::fill_n(address.begin(), kRowLanes, offset);
    return Pattern::Uniform;  // aligned: the decoder has seen to that
  }
  const std::byte* const row = warp.registers + (base & ~AddressForm::k32Bits);
  const bool consecutive = base & AddressForm::k32Bits ? add_offset<std::uint32_t>(address, row, offset, lanes, bytes)
                                                       : add_offset<std::uint64_t>(address, row, offset, lanes, bytes);
  if (lanes.none()) return Pattern::Consecutive;
  if (!consecutive) return look_closer(instruction, warp, lanes);
  if ((address[lanes.lowest()] & (bytes - 1)) != 0) [[unlikely]]
    fail_misaligned(instruction, warp, lanes);
  return Pattern::Consecutive;
}

// Where an address of each space lies on the host. find() returns the host address of [address, address + bytes) or
// null; `lane` matters to local memory only.

struct GlobalSpace {
  static constexpr bool kPerThread = false;
  static std::byte* find(WarpContext& warp, unsigned, std::uint64_t address, std::uint64_t bytes) {
    if (bytes > warp.hit.bytes || address - warp.hit.begin > warp.hit.bytes - bytes) [[unlikely]]
      if (!find_allocation(warp, address, bytes)) return nullptr;
    return warp.memory.device_base + (address - DeviceMemory::kBase);
  }
};

struct SharedSpace {
  static constexpr bool kPerThread = false;
  static std::byte* find(WarpContext& warp, unsigned, std::uint64_t address, std::uint64_t bytes) {
    if (bytes > warp.memory.shared_bytes || address > warp.memory.shared_bytes - bytes) return nullptr;
    return warp.memory.shared + address;
  }
};

struct LocalSpace {
  static constexpr bool kPerThread = true;
  static std::byte* find(WarpContext& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes) {
    if (bytes > warp.memory.local_bytes || address > warp.memory.local_bytes - bytes) return nullptr;
    return warp.memory.local + lane * warp.memory.local_bytes + address;
  }
};

/// Read only: stores to it are refused when the module is loaded, and fail when they come by a generic address.
struct ParamSpace {
  static constexpr bool kPerThread = false;
  static const std::byte* find(WarpContext& warp, unsigned, std::uint64_t address, std::uint64_t bytes) {
    if (bytes > warp.memory.parameter_bytes || address > warp.memory.parameter_bytes - bytes) return nullptr;
    return warp.memory.parameters + address;
  }
};

/// The host address of one lane's access; throws if it is out of bounds.
template <typename Space>
inline auto resolve(const Instruction& instruction, WarpContext& warp, unsigned lane) {
  const auto at = Space::find(warp, lane, warp.access.address[lane], instruction.access_bytes);
  if (!at) [[unlikely]]
    fail_out_of_bounds(instruction, warp, lane, warp.access.address[lane]);
  return at;
}

/// The host address of the element of lane `lanes.lowest()` if everything from there to the highest lane's element, at
/// `bytes` a lane, lies in one piece; else null.
template <typename Space>
inline auto find_piece(WarpContext& warp, RowLanes lanes, std::uint64_t bytes) {
  const unsigned lowest = lanes.lowest(), highest = lanes.highest();
  return Space::find(warp, lowest, warp.access.address[lowest], (highest - lowest + 1) * bytes);
}

/// Calls use(space{}, lanes) for the lanes of each space that a generic access touches, with their addresses brought
/// into that space. What the timing model sees in warp.access is the space of the lowest lane, with that space's lanes
/// only. `lanes` is not empty.
template <typename Use>
inline void for_generic_spaces(WarpContext& warp, RowLanes lanes, Use use) {
  auto& address = warp.access.address;
  const auto take = [&](std::uint64_t begin, std::uint64_t end) {
    return collect<std::uint64_t>([&](unsigned lane) { return address[lane] - begin < end - begin; }) & lanes;
  };
  const RowLanes shared = take(kSharedWindow.begin, kSharedWindow.end),
                 local = take(kLocalWindow.begin, kLocalWindow.end), param = take(kParamWindow.begin, kParamWindow.end),
                 global = lanes - shared - local - param;
  const auto shift = [&](RowLanes moved, std::uint64_t window) {
    moved.for_each([&](unsigned lane) { address[lane] -= window; });
  };
  const unsigned lowest = lanes.lowest();
  MemorySpace seen = MemorySpace::Global;
  RowLanes seen_lanes = lanes;
  const auto visit = [&](auto space, MemorySpace name, RowLanes touched, std::uint64_t window) {
    if (touched.none()) return;
    shift(touched, window);
    warp.access.space = name;
    use(space, touched);
    if (!touched.contains(lowest)) return;
    seen = name;
    seen_lanes = touched;
  };
  visit(GlobalSpace{}, MemorySpace::Global, global, 0);
  visit(SharedSpace{}, MemorySpace::Shared, shared, kSharedWindow.begin);
  visit(LocalSpace{}, MemorySpace::Local, local, kLocalWindow.begin);
  visit(ParamSpace{}, MemorySpace::Param, param, kParamWindow.begin);
  warp.access.space = seen;
  warp.access.lanes = of_row(seen_lanes, 0);
}

}  // namespace warpfork::simt::WARPFORK_LANES
