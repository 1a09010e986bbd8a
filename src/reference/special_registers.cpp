#include "reference/special_registers.h"

namespace warpfork::reference {
namespace {

using ptx::SpecialRegister;

constexpr unsigned kLanes = 32;

std::uint32_t component_of(const Dim3& value, unsigned component) {
  return component == 0 ? value.x : component == 1 ? value.y : component == 2 ? value.z : 0;
}

std::optional<std::uint64_t> of_warp(SpecialRegister name, const BlockState& block, unsigned thread) {
  const unsigned lane = thread % kLanes;
  const std::uint32_t bit = std::uint32_t{1} << lane;
  switch (name) {
    case SpecialRegister::Laneid:
      return lane;
    case SpecialRegister::Warpid:
      return thread / kLanes;
    case SpecialRegister::Nwarpid:
      return (block.block.count() + kLanes - 1) / kLanes;
    case SpecialRegister::LanemaskEq:
      return bit;
    case SpecialRegister::LanemaskLt:
      return bit - 1;
    case SpecialRegister::LanemaskLe:
      return (bit - 1) | bit;
    case SpecialRegister::LanemaskGe:
      return ~(bit - 1);
    case SpecialRegister::LanemaskGt:
      return ~((bit - 1) | bit);
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> of_machine(SpecialRegister name, const BlockState& block) {
  switch (name) {
    case SpecialRegister::DynamicSmemSize:
      return block.dynamic_shared_bytes;
    case SpecialRegister::TotalSmemSize:
      return (block.placement.static_shared_bytes() + block.dynamic_shared_bytes + 127) / 128 * 128;
    case SpecialRegister::Nsmid:
      return 1;
    case SpecialRegister::Smid:
    case SpecialRegister::Gridid:
    case SpecialRegister::Clock:
    case SpecialRegister::ClockHi:
    case SpecialRegister::Clock64:
    case SpecialRegister::Globaltimer:
    case SpecialRegister::GlobaltimerLo:
    case SpecialRegister::GlobaltimerHi:
      return 0;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::uint64_t> special_register(const ptx::SpecialRegisterOperand& operand, const BlockState& block,
                                              unsigned thread) {
  switch (operand.name) {
    case SpecialRegister::Tid:
      return component_of(block.block.position_of(thread), operand.component);
    case SpecialRegister::Ntid:
      return component_of(block.block, operand.component);
    case SpecialRegister::Ctaid:
      return component_of(block.index, operand.component);
    case SpecialRegister::Nctaid:
      return component_of(block.grid, operand.component);
    default:
      const auto warp = of_warp(operand.name, block, thread);
      return warp ? warp : of_machine(operand.name, block);
  }
}

}  // namespace warpfork::reference
