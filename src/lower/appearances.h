// Registers in the order in which a text names them.
#pragma once

#include <utility>
#include <vector>

#include "ptx/instruction.h"

namespace warpfork::lower {

/// Takes note of registers as they are named; the first time counts.
class Appearances {
 public:
  explicit Appearances(std::size_t registers) : seen_(registers, false) { order_.reserve(registers); }

  void note(ptx::RegisterId id) {
    if (!seen_[id]) order_.push_back(id);
    seen_[id] = true;
  }
  std::vector<ptx::RegisterId> order() && { return std::move(order_); }

 private:
  std::vector<bool> seen_;
  std::vector<ptx::RegisterId> order_;
};

}  // namespace warpfork::lower
