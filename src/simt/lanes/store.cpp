// PTX ISA, "st": from registers to memory, cut to the width of the type.
#include "simt/lanes/address.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

template <typename Memory>
void write(std::byte* at, Memory value) {
  std::memcpy(at, &value, sizeof value);
}

/// Lanes from `first` on, `count` of them, write elements that lie side by side.
template <typename Memory, typename Register, unsigned count>
void copy(const std::byte* source, unsigned first, std::byte* at) {
  const Row<Register> row(source);
  WARPFORK_EACH_LANE
  for (unsigned i = 0; i < count; ++i) write<Memory>(at + i * sizeof(Memory), static_cast<Memory>(row[first + i]));
}

/// Element after element of lanes whose accesses all are in memory. In lane order: where lanes write to one place, the
/// highest wins.
template <typename Space, typename Memory, typename Register>
[[gnu::noinline]] void scatter(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const unsigned bytes = instruction.access_bytes;
  const std::uint64_t* const address = warp.access.address.data();
  const Space space(warp);
  for (unsigned offset = 0, i = 1; offset < bytes; offset += sizeof(Memory), ++i) {
    const std::byte* const source = warp.registers + instruction.operand[i];
    const auto one = [=, row = Row<Register>(source)](unsigned lane) {
      write<Memory>(space.at(lane, address[lane]) + offset, static_cast<Memory>(row[lane]));
    };
    if (Space::kPerThread || bytes != sizeof(Memory)) {
      for_each_lane(lanes, one);
      continue;
    }
    for_each_half([=](unsigned first) {
      const RowLanes half(0xffffu << first);
      const Pattern pattern =
          lanes.contains(half) ? pattern_of_half<sizeof(Memory)>(address + first) : Pattern::Scattered;
      if (pattern == Pattern::Consecutive)
        copy<Memory, Register, kHalfRow>(source, first, space.at(first, address[first]));
      else if (pattern == Pattern::Uniform)
        one(first + kHalfRow - 1);
      else
        (lanes & half).for_each(one);
    });
  }
}

template <typename Space, typename Memory, typename Register>
[[gnu::noinline]] void store_lanes(const Instruction& instruction, WarpContext& warp, RowLanes lanes, Pattern pattern) {
  const unsigned bytes = instruction.access_bytes;
  const std::byte* const registers = warp.registers;
  if constexpr (!Space::kPerThread) {
    const std::uint64_t first = warp.access.address[0];
    if (pattern == Pattern::Consecutive && lanes.full() && bytes == sizeof(Memory) &&
        is_there<Space>(warp, first, kRowLanes * sizeof(Memory)))
      return copy<Memory, Register, kRowLanes>(registers + instruction.operand[1], 0, Space(warp).at(0, first));
  } else if (pattern == Pattern::Uniform && bytes == sizeof(Memory)) {
    const std::uint64_t address = warp.access.address[lanes.lowest()];
    if (is_there<Space>(warp, address, bytes))
      return for_each_lane(
          lanes, [=, space = Space(warp), row = Row<Register>(registers + instruction.operand[1])](unsigned lane) {
            write<Memory>(space.at(lane, address), static_cast<Memory>(row[lane]));
          });
  }
  if (are_there<Space>(warp, lanes, bytes)) return scatter<Space, Memory, Register>(instruction, warp, lanes);
  lanes.for_each([&](unsigned lane) {
    std::byte* const at = resolve<Space>(instruction, warp, lane);
    for (unsigned offset = 0, i = 1; offset < bytes; offset += sizeof(Memory), ++i)
      write<Memory>(at + offset, static_cast<Memory>(Row<Register>(registers + instruction.operand[i])[lane]));
  });
}

template <typename Space, typename Memory, typename Register>
void store(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const Pattern pattern = compute_addresses(instruction, warp, lanes);
  warp.access.is_write = true;
  warp.access.is_atomic = false;
  if (lanes.none()) return;
  if (lanes.count() <= kFewLanes && instruction.access_bytes == sizeof(Memory) &&
      are_there<Space>(warp, lanes, sizeof(Memory))) {
    const Row<Register> row(warp.registers + instruction.operand[1]);
    return lanes.for_each([&, space = Space(warp)](unsigned lane) {
      write<Memory>(space.at(lane, warp.access.address[lane]), static_cast<Memory>(row[lane]));
    });
  }
  store_lanes<Space, Memory, Register>(instruction, warp, lanes, pattern);
}

template <typename Memory, typename Register>
void store_generic(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const Pattern pattern = compute_addresses(instruction, warp, lanes);
  warp.access.is_write = true;
  warp.access.is_atomic = false;
  if (lanes.none()) return;
  for_generic_spaces(warp, lanes, [&](auto space, RowLanes touched) {
    using Space = decltype(space);
    if constexpr (std::is_same_v<Space, ParamSpace>)
      fail_out_of_bounds(instruction, warp, touched.lowest(), warp.access.address[touched.lowest()]);
    else
      store_lanes<Space, Memory, Register>(instruction, warp, touched, pattern);
  });
}

template <typename Memory, typename Register>
Handler with_space(const Operation& operation) {
  switch (operation.space) {
    case MemorySpace::Global:
      return store<GlobalSpace, Memory, Register>;
    case MemorySpace::Shared:
      return store<SharedSpace, Memory, Register>;
    case MemorySpace::Local:
      return store<LocalSpace, Memory, Register>;
    case MemorySpace::Generic:
      return store_generic<Memory, Register>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_store(const Operation& operation) {
  const auto with = [&](auto memory) -> Handler {
    using Memory = decltype(memory);
    return operation.wide_source ? with_space<Memory, std::uint64_t>(operation)
                                 : with_space<Memory, std::uint32_t>(operation);
  };
  switch (ptx::bits_of(operation.type())) {
    case 8:
      return with(std::uint8_t{});
    case 16:
      return with(std::uint16_t{});
    case 32:
      return with(std::uint32_t{});
    case 64:
      return operation.wide_source ? with_space<std::uint64_t, std::uint64_t>(operation) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
