// Handlers of operations of two operands, of which the second is often a literal.
#pragma once

#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"

namespace warpfork::simt::WARPFORK_LANES {

/// operand[0] = Op::apply(operand[1], operand[2]), the second from where reads_literal() says that it is.
template <typename Op, typename Out, typename A, typename B>
Handler with_literal(const Operation& operation) {
  return reads_literal(operation) ? lanewise<Op, Out, A, Literal<B>> : lanewise<Op, Out, A, B>;
}

}  // namespace warpfork::simt::WARPFORK_LANES
