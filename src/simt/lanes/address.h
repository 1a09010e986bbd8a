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

inline constexpr unsigned kHalfRow = kRowLanes / 2;

enum class Pattern : std::uint8_t { Consecutive, Uniform, Scattered };

/// The lane's number times 2^shift.
template <typename T>
inline T lane_times(unsigned lane, unsigned shift) {
  return static_cast<T>(static_cast<T>(lane) << shift);
}

/// Writes base + offset into the addresses; whether those of the lanes lie side by side, 2^shift bytes each.
template <typename T>
inline bool add_offset(MemoryAccess::Addresses& address, const std::byte* row, std::uint64_t offset, RowLanes lanes,
                       unsigned shift) {
  const Row<T> base(row);
  const unsigned lowest = lanes.any() ? lanes.lowest() : 0;
  // 32-bit addresses wrap at 32 bits.
  const T start = static_cast<T>(base[lowest] + offset - lane_times<T>(lowest, shift));
  const auto own = [&](unsigned lane) { return static_cast<T>(base[lane] + static_cast<T>(offset)); };
  const RowLanes elsewhere =
      collect<T>([&](unsigned lane) { return own(lane) != static_cast<T>(start + lane_times<T>(lane, shift)); });
  WARPFORK_EACH_LANE
  for (unsigned lane = 0; lane < kRowLanes; ++lane) address[lane] = own(lane);
  return !elsewhere.intersects(lanes);
}

/// The pattern of addresses that are not consecutive; throws if one of them is not aligned to the access.
inline Pattern look_closer(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const auto& address = warp.access.address;
  const std::uint64_t first = address[lanes.lowest()], low_bits = instruction.access_bytes - 1u;
  const RowLanes misaligned = collect<std::uint64_t>([&](unsigned lane) { return (address[lane] & low_bits) != 0; });
  if (misaligned.intersects(lanes)) [[unlikely]]
    fail_misaligned(instruction, warp, lanes);
  const RowLanes others = collect<std::uint64_t>([&](unsigned lane) { return address[lane] != first; });
  return others.intersects(lanes) ? Pattern::Scattered : Pattern::Uniform;
}

/// Fills warp.access but for the kind of access: addresses of the lanes (others get what their stale registers say) and
/// how they lie to one another. Throws if one is not aligned to the access.
inline Pattern compute_addresses(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  auto& address = warp.access.address;
  const std::uint64_t offset = instruction.immediate;
  const unsigned shift = static_cast<unsigned>(std::countr_zero(instruction.access_bytes));
  const std::uint32_t base = instruction.operand[0];
  warp.access.space = instruction.space;
  warp.access.lanes = of_row(lanes, 0);
  warp.access.bytes = instruction.access_bytes;
  if (base == AddressForm::kLiteral) {
    std::fill_n(address.begin(), kRowLanes, offset);
    return Pattern::Uniform;  // aligned: the decoder has seen to that
  }
  const std::byte* const row = warp.registers + (base & ~AddressForm::k32Bits);
  const bool consecutive = base & AddressForm::k32Bits ? add_offset<std::uint32_t>(address, row, offset, lanes, shift)
                                                       : add_offset<std::uint64_t>(address, row, offset, lanes, shift);
  if (lanes.none()) return Pattern::Consecutive;
  if (!consecutive) return look_closer(instruction, warp, lanes);
  if ((address[lanes.lowest()] & (instruction.access_bytes - 1u)) != 0) [[unlikely]]
    fail_misaligned(instruction, warp, lanes);
  return Pattern::Consecutive;
}

// Where an address of each space lies on the host: range() are the addresses that are known to be there, at() is the
// host address of one of them; search() looks for a range that holds [address, address + bytes). `lane` matters to
// local memory only.

struct GlobalSpace {
  static constexpr bool kPerThread = false;
  static DeviceMemory::Range range(const WarpContext& warp) { return warp.hit; }
  static std::byte* at(const WarpContext& warp, unsigned, std::uint64_t address) {
    return warp.memory.device_base + (address - DeviceMemory::kBase);
  }
  static bool search(WarpContext& warp, std::uint64_t address, std::uint64_t bytes) {
    return find_allocation(warp, address, bytes);
  }
};

struct SharedSpace {
  static constexpr bool kPerThread = false;
  static DeviceMemory::Range range(const WarpContext& warp) { return {0, warp.memory.shared_bytes}; }
  static std::byte* at(const WarpContext& warp, unsigned, std::uint64_t address) {
    return warp.memory.shared + address;
  }
  static bool search(WarpContext&, std::uint64_t, std::uint64_t) { return false; }
};

struct LocalSpace {
  static constexpr bool kPerThread = true;
  static DeviceMemory::Range range(const WarpContext& warp) { return {0, warp.memory.local_bytes}; }
  static std::byte* at(const WarpContext& warp, unsigned lane, std::uint64_t address) {
    return warp.memory.local + lane * warp.memory.local_bytes + address;
  }
  static bool search(WarpContext&, std::uint64_t, std::uint64_t) { return false; }
};

/// Read only: stores to it are refused when the module is loaded, and fail when they come by a generic address.
struct ParamSpace {
  static constexpr bool kPerThread = false;
  static DeviceMemory::Range range(const WarpContext& warp) { return {0, warp.memory.parameter_bytes}; }
  static const std::byte* at(const WarpContext& warp, unsigned, std::uint64_t address) {
    return warp.memory.parameters + address;
  }
  static bool search(WarpContext&, std::uint64_t, std::uint64_t) { return false; }
};

/// Whether [address, address + bytes) lies in one piece.
template <typename Space>
inline bool is_there(WarpContext& warp, std::uint64_t address, std::uint64_t bytes) {
  const DeviceMemory::Range range = Space::range(warp);
  if (bytes <= range.bytes && address - range.begin <= range.bytes - bytes) [[likely]]
    return true;
  return Space::search(warp, address, bytes);
}

/// The host address of one lane's access; throws if it is out of bounds.
template <typename Space>
inline auto resolve(const Instruction& instruction, WarpContext& warp, unsigned lane) {
  const std::uint64_t address = warp.access.address[lane];
  if (!is_there<Space>(warp, address, instruction.access_bytes)) [[unlikely]]
    fail_out_of_bounds(instruction, warp, lane, address);
  return Space::at(warp, lane, address);
}

/// Whether the accesses of all lanes lie in one piece: that of the lowest lane.
template <typename Space>
inline bool are_there(WarpContext& warp, RowLanes lanes, std::uint64_t bytes) {
  const auto& address = warp.access.address;
  if (!is_there<Space>(warp, address[lanes.lowest()], bytes)) return false;
  const DeviceMemory::Range range = Space::range(warp);
  const RowLanes outside =
      collect<std::uint64_t>([&](unsigned lane) { return address[lane] - range.begin > range.bytes - bytes; });
  return !outside.intersects(lanes);
}

/// Sixteen lanes at a time, in their order, all of which are taken: calls side_by_side(first) if the addresses of their
/// accesses follow one another, `bytes` each, and at_one_place(first) if they are one. Calls one(lane) for each of the
/// other lanes.
template <unsigned bytes, typename SideBySide, typename AtOnePlace, typename One>
inline void for_halves(const WarpContext& warp, RowLanes lanes, SideBySide side_by_side, AtOnePlace at_one_place,
                       One one) {
  for (unsigned first = 0; first < kRowLanes; first += kHalfRow) {
    const RowLanes half(0xffffu << first);
    if (!lanes.contains(half)) {
      (lanes & half).for_each(one);
      continue;
    }
    const std::uint64_t* const address = &warp.access.address[first];
    const std::uint64_t step = address[1] - address[0];
    std::uint64_t other_steps = 0;
    for (unsigned lane = 1; lane < kHalfRow; ++lane) other_steps |= (address[lane] - address[lane - 1]) ^ step;
    if (other_steps == 0 && step == bytes)
      side_by_side(first);
    else if (other_steps == 0 && step == 0)
      at_one_place(first);
    else
      for (unsigned lane = first; lane < first + kHalfRow; ++lane) one(lane);
  }
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
