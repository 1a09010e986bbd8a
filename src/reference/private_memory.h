// Local memory of one thread, and the memory of its parameters (PTX ISA, "Local State Space", "Parameter State Space").
#pragma once

#include <cstddef>
#include <vector>

#include "ptx/module.h"
#include "reference/placement.h"

namespace warpfork::reference {

/// Two stacks of bytes that grow with every call and shrink with every return.
class PrivateMemory {
 public:
  struct Mark {
    std::size_t local = 0, local_room = 0, param = 0, param_room = 0;
  };

  /// Zeroed bytes on top of `space`, which is Local or Param, with room up to the alignment behind them.
  Place reserve(ptx::StateSpace space, std::size_t bytes, std::size_t alignment);
  /// How much is reserved, and back to that.
  Mark mark() const { return {local_.end, local_.bytes.size(), param_.end, param_.bytes.size()}; }
  void release(const Mark& mark);

  /// Null if not all of the bytes are reserved, or room behind them.
  std::byte* find(const Place& place, std::size_t bytes);

 private:
  struct Stack {
    std::vector<std::byte> bytes;  // with room behind the last that are reserved
    std::size_t end = 0;           // of what is reserved
  };

  Stack& stack(ptx::StateSpace space) { return space == ptx::StateSpace::Local ? local_ : param_; }

  Stack local_, param_;
};

}  // namespace warpfork::reference
