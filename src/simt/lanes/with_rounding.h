// The rounding that an instruction asks for, as a constant of the compiler's.
#pragma once

#include <type_traits>

#include "simt/lanes/half.h"
#include "simt/lanes/select.h"

namespace warpfork::simt::WARPFORK_LANES {

/// `visit(std::integral_constant<Rounding, …>)`; to nearest even if it says none.
template <typename Visit>
Handler with_rounding(const Operation& operation, Visit visit) {
  if (operation.has(ptx::Modifier::Rz) || operation.has(ptx::Modifier::Rzi))
    return visit(std::integral_constant<Rounding, Rounding::Zero>{});
  if (operation.has(ptx::Modifier::Rm) || operation.has(ptx::Modifier::Rmi))
    return visit(std::integral_constant<Rounding, Rounding::Down>{});
  if (operation.has(ptx::Modifier::Rp) || operation.has(ptx::Modifier::Rpi))
    return visit(std::integral_constant<Rounding, Rounding::Up>{});
  return visit(std::integral_constant<Rounding, Rounding::Nearest>{});
}

}  // namespace warpfork::simt::WARPFORK_LANES
