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

/// What is known of the addresses of a warp's lanes: they follow one another, they are one, or nothing.
enum class Pattern : std::uint8_t { Consecutive, Uniform, Scattered };

/// By the binary logarithm of an access's bytes, those before each lane's where the accesses follow one another; in
/// front of these none.
template <typename T>
struct LaneSteps {
  static constexpr unsigned kSizes = 7;  // accesses of up to 32 bytes, and none
  alignas(64) T before[kSizes][kRowLanes];
  constexpr LaneSteps() : before{} {
    for (unsigned size = 1; size < kSizes; ++size)
      for (unsigned lane = 0; lane < kRowLanes; ++lane) before[size][lane] = static_cast<T>(lane) << (size - 1);
  }
};
template <typename T>
inline constexpr LaneSteps<T> kLaneSteps;

/// The bits that are set in compute(lane) of one of the lanes. compute is called for other lanes of the same half row,
/// too.
template <typename T, typename Compute>
inline T any_bits(RowLanes lanes, Compute compute) {
  const T taken = lanes.bits();
  T any = 0;
  for_each_half([&](unsigned first) {
    const RowLanes half(0xffffu << first);
    if (lanes.contains(half)) {
      WARPFORK_EACH_LANE
      for (unsigned i = 0; i < kHalfRow; ++i) any |= compute(first + i);
    } else if (lanes.intersects(half)) {
      WARPFORK_EACH_LANE
      for (unsigned i = 0; i < kHalfRow; ++i) any |= compute(first + i) & lane_mask<T>(taken, first + i);
    }
  });
  return any;
}

/// A lane's address: its base and the instruction's offset. 32-bit addresses wrap at 32 bits.
template <typename T>
class OwnAddress {
 public:
  OwnAddress(const Instruction& instruction, const WarpContext& warp)
      : base_(warp.registers + (instruction.operand[0] & ~AddressForm::k32Bits)),
        offset_(static_cast<T>(instruction.immediate)) {}
  T operator()(unsigned lane) const { return static_cast<T>(base_[lane] + offset_); }

 private:
  Row<T> base_;
  T offset_;
};

/// Throws if the low bits of addresses that were added up are not those of an aligned access.
inline void check_alignment(const Instruction& instruction, const WarpContext& warp, RowLanes lanes,
                            std::uint64_t bits) {
  if ((bits & (instruction.access_bytes - 1u)) != 0) [[unlikely]]
    fail_misaligned(instruction, warp, lanes);
}

template <typename T>
inline Pattern few_addresses(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const OwnAddress<T> own(instruction, warp);
  std::uint64_t bits = 0;
  lanes.for_each([&](unsigned lane) { bits |= warp.access.address[lane] = own(lane); });
  check_alignment(instruction, warp, lanes, bits);
  return Pattern::Scattered;
}

/// Of all lanes. The two lowest say how the others are expected to follow.
template <typename T>
[[gnu::noinline]] Pattern all_addresses(const Instruction& instruction, WarpContext& warp) {
  const OwnAddress<T> own(instruction, warp);
  const T start = own(0);
  const Pattern expected = own(1) == start ? Pattern::Uniform : Pattern::Consecutive;
  const unsigned size = 1u + static_cast<unsigned>(std::countr_zero(instruction.access_bytes));
  const T* const before = kLaneSteps<T>.before[expected == Pattern::Uniform ? 0 : size];
  std::uint64_t* const address = warp.access.address.data();
  T different = 0;
  WARPFORK_EACH_LANE
  for (unsigned lane = 0; lane < kRowLanes; ++lane) {
    const T value = own(lane);
    address[lane] = value;
    different |= value ^ static_cast<T>(start + before[lane]);
  }
  check_alignment(instruction, warp, RowLanes::first(kRowLanes), start | different);
  return different == 0 ? expected : Pattern::Scattered;
}

/// Of more than a few lanes, likewise.
template <typename T>
[[gnu::noinline]] Pattern many_addresses(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const OwnAddress<T> own(instruction, warp);
  const unsigned lowest = lanes.lowest(), second = (lanes - RowLanes::single(lowest)).lowest();
  const Pattern expected = own(second) == own(lowest) ? Pattern::Uniform : Pattern::Consecutive;
  const unsigned size = 1u + static_cast<unsigned>(std::countr_zero(instruction.access_bytes));
  const T* const before = kLaneSteps<T>.before[expected == Pattern::Uniform ? 0 : size];
  const T start = static_cast<T>(own(lowest) - before[lowest]);
  std::uint64_t* const address = warp.access.address.data();
  const T different = any_bits<T>(lanes, [=](unsigned lane) {
    const T value = own(lane);
    address[lane] = value;
    return value ^ static_cast<T>(start + before[lane]);
  });
  check_alignment(instruction, warp, lanes, address[lowest] | different);  // what is expected lies as the lowest does
  return different == 0 ? expected : Pattern::Scattered;
}

template <typename T>
inline Pattern addresses(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  if (lanes.full()) return all_addresses<T>(instruction, warp);
  return lanes.count() <= kFewLanes ? few_addresses<T>(instruction, warp, lanes)
                                    : many_addresses<T>(instruction, warp, lanes);
}

/// Fills warp.access but for the kind of access: addresses of the lanes and how they lie to one another. Throws if one
/// is not aligned to the access.
[[gnu::always_inline]] inline Pattern compute_addresses(const Instruction& instruction, WarpContext& warp,
                                                        RowLanes lanes) {
  warp.access.space = instruction.space;
  warp.access.lanes = of_row(lanes, 0);
  warp.access.bytes = instruction.access_bytes;
  warp.allocations.place = KnownAllocations::place_of(instruction);
  const std::uint32_t base = instruction.operand[0];
  if (base == AddressForm::kLiteral) {
    std::fill_n(warp.access.address.begin(), kRowLanes, instruction.immediate);
    return Pattern::Uniform;  // aligned: the decoder has seen to that
  }
  return base & AddressForm::k32Bits ? addresses<std::uint32_t>(instruction, warp, lanes)
                                     : addresses<std::uint64_t>(instruction, warp, lanes);
}

// Where the addresses of each space lie on the host, for a warp: range() are those that are known to be there, at() is
// the host address of one of them; search() looks for a range that holds [address, address + bytes). `lane` matters to
// local memory only.

class GlobalSpace {
 public:
  static constexpr bool kPerThread = false;
  explicit GlobalSpace(const WarpContext& warp) : base_(warp.memory.device_base) {}
  static DeviceMemory::Range range(const WarpContext& warp) { return warp.allocations.known[warp.allocations.place]; }
  std::byte* at(unsigned, std::uint64_t address) const { return base_ + (address - DeviceMemory::kBase); }
  static bool search(WarpContext& warp, std::uint64_t address, std::uint64_t bytes) {
    return find_allocation(warp, address, bytes);
  }

 private:
  std::byte* base_;
};

class SharedSpace {
 public:
  static constexpr bool kPerThread = false;
  explicit SharedSpace(const WarpContext& warp) : base_(warp.memory.shared) {}
  static DeviceMemory::Range range(const WarpContext& warp) { return {0, warp.memory.shared_bytes}; }
  std::byte* at(unsigned, std::uint64_t address) const { return base_ + address; }
  static bool search(WarpContext&, std::uint64_t, std::uint64_t) { return false; }

 private:
  std::byte* base_;
};

class LocalSpace {
 public:
  static constexpr bool kPerThread = true;
  explicit LocalSpace(const WarpContext& warp) : base_(warp.memory.local), stride_(warp.memory.local_bytes) {}
  static DeviceMemory::Range range(const WarpContext& warp) { return {0, warp.memory.local_bytes}; }
  std::byte* at(unsigned lane, std::uint64_t address) const { return base_ + lane * stride_ + address; }
  static bool search(WarpContext&, std::uint64_t, std::uint64_t) { return false; }

 private:
  std::byte* base_;
  std::uint64_t stride_;
};

/// Read only: stores to it are refused when the module is loaded, and fail when they come by a generic address.
class ParamSpace {
 public:
  static constexpr bool kPerThread = false;
  explicit ParamSpace(const WarpContext& warp) : base_(warp.memory.parameters) {}
  static DeviceMemory::Range range(const WarpContext& warp) { return {0, warp.memory.parameter_bytes}; }
  const std::byte* at(unsigned, std::uint64_t address) const { return base_ + address; }
  static bool search(WarpContext&, std::uint64_t, std::uint64_t) { return false; }

 private:
  const std::byte* base_;
};

/// Whether [address, address + bytes) lies in one piece.
template <typename Space>
inline bool is_there(WarpContext& warp, std::uint64_t address, std::uint64_t bytes) {
  if (Space::range(warp).holds(address, bytes)) [[likely]]
    return true;
  return Space::search(warp, address, bytes);
}

/// The host address of one lane's access; throws if it is out of bounds.
template <typename Space>
inline auto resolve(const Instruction& instruction, WarpContext& warp, unsigned lane) {
  const std::uint64_t address = warp.access.address[lane];
  if (!is_there<Space>(warp, address, instruction.access_bytes)) [[unlikely]]
    fail_out_of_bounds(instruction, warp, lane, address);
  return Space(warp).at(lane, address);
}

/// Likewise of a load. One of a single element may begin in an allocation and end behind it: aligned as it is, it stays
/// in a word that is nobody else's, and no machine notices. String functions that go by words and not by characters do
/// so.
template <typename Space, typename Memory>
inline auto resolve_load(const Instruction& instruction, WarpContext& warp, unsigned lane) {
  const std::uint64_t address = warp.access.address[lane];
  if (std::is_same_v<Space, GlobalSpace> && instruction.access_bytes == sizeof(Memory) &&
      is_there<Space>(warp, address, 1))
    return Space(warp).at(lane, address);
  return resolve<Space>(instruction, warp, lane);
}

/// Where an address lies to a range in which `last` is the last place for an access: the highest bit is set outside.
inline std::uint64_t outside(std::uint64_t address, std::uint64_t begin, std::uint64_t last) {
  const std::uint64_t place = address - begin;
  return place | (last - place);
}

template <typename Space>
inline bool few_are_there(const WarpContext& warp, RowLanes lanes, std::uint64_t bytes) {
  const DeviceMemory::Range range = Space::range(warp);
  std::uint64_t any = 0;
  lanes.for_each([&](unsigned lane) { any |= outside(warp.access.address[lane], range.begin, range.bytes - bytes); });
  return any >> 63 == 0;
}

template <typename Space>
[[gnu::noinline]] bool many_are_there(const WarpContext& warp, RowLanes lanes, std::uint64_t bytes) {
  const DeviceMemory::Range range = Space::range(warp);
  const auto of = [address = warp.access.address.data(), begin = range.begin,
                   last = range.bytes - bytes](unsigned lane) { return outside(address[lane], begin, last); };
  return any_bits<std::uint64_t>(lanes, of) >> 63 == 0;
}

/// Whether the accesses of all lanes lie in one piece: that of the lowest lane.
template <typename Space>
inline bool are_there(WarpContext& warp, RowLanes lanes, std::uint64_t bytes) {
  if (!is_there<Space>(warp, warp.access.address[lanes.lowest()], bytes)) return false;
  return lanes.count() <= kFewLanes ? few_are_there<Space>(warp, lanes, bytes)
                                    : many_are_there<Space>(warp, lanes, bytes);
}

/// Whether the addresses of half a row each lie so many bytes behind the one before.
template <unsigned bytes>
inline bool follow(const std::uint64_t* address) {
  std::uint64_t different = 0;
  WARPFORK_EACH_LANE
  for (unsigned i = 0; i < kHalfRow; ++i) different |= address[i] ^ (address[0] + std::uint64_t{i} * bytes);
  return different == 0;
}

/// How the accesses of half a row, of so many bytes each, lie to one another.
template <unsigned bytes>
inline Pattern pattern_of_half(const std::uint64_t* address) {
  const std::uint64_t step = address[1] - address[0];
  if (step == bytes && follow<bytes>(address)) return Pattern::Consecutive;
  if (step == 0 && follow<0>(address)) return Pattern::Uniform;
  return Pattern::Scattered;
}

/// Calls use(space, lanes) for the lanes of each space that a generic access touches, with their addresses brought
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
  visit(GlobalSpace(warp), MemorySpace::Global, global, 0);
  visit(SharedSpace(warp), MemorySpace::Shared, shared, kSharedWindow.begin);
  visit(LocalSpace(warp), MemorySpace::Local, local, kLocalWindow.begin);
  visit(ParamSpace(warp), MemorySpace::Param, param, kParamWindow.begin);
  warp.access.space = seen;
  warp.access.lanes = of_row(seen_lanes, 0);
}

}  // namespace warpfork::simt::WARPFORK_LANES
