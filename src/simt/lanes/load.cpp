// PTX ISA, "ld", "ldu": from memory to registers, sign- or zero-extended to the register's width.
#include "simt/lanes/address.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

template <typename Memory>
Memory read(const std::byte* at) {
  Memory value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// All lanes read one place, of several elements.
template <typename Memory, typename Register>
[[gnu::noinline]] void broadcast_elements(const Instruction& instruction, WarpContext& warp, RowLanes lanes,
                                          const std::byte* at) {
  for (unsigned offset = 0, i = 1; offset < instruction.access_bytes; offset += sizeof(Memory), ++i) {
    const Register value = static_cast<Register>(read<Memory>(at + offset));
    for_lanes<Register>(warp.registers + instruction.operand[i], lanes, [=](unsigned) { return value; });
  }
}

/// All lanes read one place.
template <typename Memory, typename Register>
void broadcast(const Instruction& instruction, WarpContext& warp, RowLanes lanes, const std::byte* at) {
  if (instruction.access_bytes != sizeof(Memory))
    return broadcast_elements<Memory, Register>(instruction, warp, lanes, at);
  const Register value = static_cast<Register>(read<Memory>(at));
  for_lanes<Register>(warp.registers + instruction.operand[1], lanes, [=](unsigned) { return value; });
}

/// Lanes from `first` on, `count` of them, read elements that lie side by side.
template <typename Memory, typename Register, unsigned count>
void copy(std::byte* destination, unsigned first, const std::byte* at) {
  WARPFORK_EACH_LANE
  for (unsigned i = 0; i < count; ++i)
    set_lane<Register>(destination, first + i, static_cast<Register>(read<Memory>(at + i * sizeof(Memory))));
}

/// Elements of those halves of the row that read one place, or places that lie side by side, in one piece of memory.
/// Returns their lanes.
template <typename Space, typename Memory, typename Register>
RowLanes load_halves(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  std::byte* const destination = warp.registers + instruction.operand[1];
  RowLanes loaded;
  for_each_half([&](unsigned first) {
    const RowLanes half(0xffffu << first);
    if (!lanes.contains(half)) return;
    const std::uint64_t* const address = &warp.access.address[first];
    const Pattern pattern = pattern_of_half<sizeof(Memory)>(address);
    const unsigned bytes = pattern == Pattern::Consecutive ? kHalfRow * sizeof(Memory) : sizeof(Memory);
    if (pattern == Pattern::Scattered || !is_there<Space>(warp, *address, bytes)) return;
    const std::byte* const at = Space(warp).at(first, *address);
    if (pattern == Pattern::Consecutive)
      copy<Memory, Register, kHalfRow>(destination, first, at);
    else
      for (unsigned i = 0; i < kHalfRow; ++i)
        set_lane<Register>(destination, first + i, static_cast<Register>(read<Memory>(at)));
    loaded |= half;
  });
  return loaded;
}

/// Element after element of lanes whose accesses all are in memory.
template <typename Space, typename Memory, typename Register>
[[gnu::noinline]] void gather(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const unsigned bytes = instruction.access_bytes;
  for (unsigned offset = 0, i = 1; offset < bytes; offset += sizeof(Memory), ++i)
    for_each_lane(lanes, [=, space = Space(warp), from = warp.access.address.data(),
                          to = warp.registers + instruction.operand[i]](unsigned lane) {
      set_lane<Register>(to, lane, static_cast<Register>(read<Memory>(space.at(lane, from[lane]) + offset)));
    });
}

template <typename Space, typename Memory, typename Register>
[[gnu::noinline]] void load_lanes(const Instruction& instruction, WarpContext& warp, RowLanes lanes, Pattern pattern) {
  const unsigned bytes = instruction.access_bytes;
  std::byte* const registers = warp.registers;
  if constexpr (!Space::kPerThread) {
    if (pattern == Pattern::Uniform || lanes.count() == 1)
      return broadcast<Memory, Register>(instruction, warp, lanes,
                                         resolve_load<Space, Memory>(instruction, warp, lanes.lowest()));
    if (pattern == Pattern::Consecutive && bytes == sizeof(Memory)) {
      const unsigned lowest = lanes.lowest();
      const std::uint64_t first = warp.access.address[lowest] - lowest * sizeof(Memory);
      if (is_there<Space>(warp, first, kRowLanes * sizeof(Memory)))
        return for_lanes<Register>(registers + instruction.operand[1], lanes,
                                   [at = Space(warp).at(0, first)](unsigned lane) {
                                     return static_cast<Register>(read<Memory>(at + lane * sizeof(Memory)));
                                   });
    }
    if (bytes == sizeof(Memory)) lanes -= load_halves<Space, Memory, Register>(instruction, warp, lanes);
    if (lanes.none()) return;
  } else if (pattern == Pattern::Uniform && bytes == sizeof(Memory)) {
    const std::uint64_t address = warp.access.address[lanes.lowest()];
    if (is_there<Space>(warp, address, bytes))
      return for_each_lane(lanes, [=, space = Space(warp), to = registers + instruction.operand[1]](unsigned lane) {
        set_lane<Register>(to, lane, static_cast<Register>(read<Memory>(space.at(lane, address))));
      });
  }
  if (are_there<Space>(warp, lanes, bytes)) return gather<Space, Memory, Register>(instruction, warp, lanes);
  lanes.for_each([&](unsigned lane) {
    const std::byte* const at = resolve_load<Space, Memory>(instruction, warp, lane);
    for (unsigned offset = 0, i = 1; offset < bytes; offset += sizeof(Memory), ++i)
      set_lane<Register>(registers + instruction.operand[i], lane, static_cast<Register>(read<Memory>(at + offset)));
  });
}

template <typename Space, typename Memory, typename Register>
void load(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const Pattern pattern = compute_addresses(instruction, warp, lanes);
  warp.access.is_write = warp.access.is_atomic = false;
  if (lanes.none()) return;
  if constexpr (!Space::kPerThread)
    if (pattern == Pattern::Uniform)
      return broadcast<Memory, Register>(instruction, warp, lanes,
                                         resolve_load<Space, Memory>(instruction, warp, lanes.lowest()));
  if (lanes.count() <= kFewLanes && instruction.access_bytes == sizeof(Memory) &&
      are_there<Space>(warp, lanes, sizeof(Memory))) {
    const auto one = [&, space = Space(warp)](unsigned lane) {
      return static_cast<Register>(read<Memory>(space.at(lane, warp.access.address[lane])));
    };
    return for_active_lanes<Register>(warp.registers + instruction.operand[1], lanes, one);
  }
  load_lanes<Space, Memory, Register>(instruction, warp, lanes, pattern);
}

template <typename Memory, typename Register>
void load_generic(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const Pattern pattern = compute_addresses(instruction, warp, lanes);
  warp.access.is_write = warp.access.is_atomic = false;
  if (lanes.none()) return;
  for_generic_spaces(warp, lanes, [&](auto space, RowLanes touched) {
    load_lanes<decltype(space), Memory, Register>(instruction, warp, touched, pattern);
  });
}

template <typename Memory, typename Register>
Handler with_space(const Operation& operation) {
  switch (operation.space) {
    case MemorySpace::Global:
    case MemorySpace::Const:
      return load<GlobalSpace, Memory, Register>;
    case MemorySpace::Shared:
      return load<SharedSpace, Memory, Register>;
    case MemorySpace::Local:
      return load<LocalSpace, Memory, Register>;
    case MemorySpace::Param:
      return load<ParamSpace, Memory, Register>;
    case MemorySpace::Generic:
      return load_generic<Memory, Register>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_load(const Operation& operation) {
  // Signedness matters only where the register is wider than the element; floats and packed types are moved as bits.
  const unsigned bits = ptx::bits_of(operation.type());
  const bool is_signed = ptx::is_signed(operation.type()) && !ptx::is_float(operation.type());
  const auto with = [&](auto narrow, auto wide) -> Handler {
    using Memory = decltype(narrow);
    using Extended = std::conditional_t<std::is_signed_v<Memory>, std::int32_t, std::uint32_t>;
    if (operation.wide_destination) return with_space<Memory, decltype(wide)>(operation);
    return with_space<Memory, Extended>(operation);
  };
  switch (bits) {
    case 8:
      return is_signed ? with(std::int8_t{}, std::int64_t{}) : with(std::uint8_t{}, std::uint64_t{});
    case 16:
      return is_signed ? with(std::int16_t{}, std::int64_t{}) : with(std::uint16_t{}, std::uint64_t{});
    case 32:
      return is_signed && operation.wide_destination ? with_space<std::int32_t, std::int64_t>(operation)
                                                     : with(std::uint32_t{}, std::uint64_t{});
    case 64:
      return operation.wide_destination ? with_space<std::uint64_t, std::uint64_t>(operation) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
