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

template <typename Space, typename Memory, typename Register>
void store_lanes(const Instruction& instruction, WarpContext& warp, RowLanes lanes, Pattern pattern) {
  const unsigned bytes = instruction.access_bytes;
  std::byte* const registers = warp.registers;
  if constexpr (!Space::kPerThread) {
    if (pattern == Pattern::Consecutive && lanes.full() && bytes == sizeof(Memory))
      if (std::byte* const first = find_piece<Space>(warp, lanes, bytes)) {
        const Row<Register> row(registers + instruction.operand[1]);
        for (unsigned lane = 0; lane < kRowLanes; ++lane)
          write<Memory>(first + lane * sizeof(Memory), static_cast<Memory>(row[lane]));
        return;
      }
  }
  // In lane order: where lanes write to one place, the highest wins.
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
