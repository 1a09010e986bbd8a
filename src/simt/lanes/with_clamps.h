// Whether an instruction asks for .relu and .satfinite, as constants of the compiler's.
#pragma once

#include <type_traits>

#include "simt/lanes/select.h"

namespace warpfork::simt::WARPFORK_LANES {

/// `visit(relu, finite)`, each a std::bool_constant.
template <typename Visit>
Handler with_clamps(const Operation& operation, Visit visit) {
  const auto with = [&](auto relu) {
    return operation.has(ptx::Modifier::Satfinite) ? visit(relu, std::true_type{}) : visit(relu, std::false_type{});
  };
  return operation.has(ptx::Modifier::Relu) ? with(std::true_type{}) : with(std::false_type{});
}

}  // namespace warpfork::simt::WARPFORK_LANES
