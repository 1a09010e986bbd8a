// Recursive functions as flat code: a stack in local memory for what a call must find again (docs/adr/0034).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace warpfork::lower {

/// What the inliner leaves open: how much room on the stack each call and each copy takes. It begins with `add stack,
/// stack, N` and ends with `sub stack, stack, N`, in which the room's number N stands for its size.
struct Recursion {
  /// The one body of a recursive function that all calls within its circle share. At its end a thread is to go on
  /// behind that call of which its return register has the number, behind the copy if it is 0.
  struct Copy {
    ptx::RegisterId frame = 0;           // where the activation's variables lie
    ptx::RegisterId return_number = 0;   // 32 bits
    std::vector<std::string> variables;  // of .local and .param memory
    unsigned calls = 0;
  };
  /// One that branches to a copy. Behind the first branch in its room threads come back.
  struct Call {
    unsigned copy = 0;                     // that it branches to
    unsigned number = 0;                   // in the copy's return register
    std::vector<ptx::RegisterId> results;  // what lies in these registers at the end of its room has been returned
  };

  static unsigned room_of_copy(unsigned copy) { return 2 * copy; }
  static unsigned room_of_call(unsigned call) { return 2 * call + 1; }

  ptx::RegisterId stack = 0;  // register of the first address that is free, as wide as addresses are
  std::vector<Copy> copies;
  std::vector<Call> calls;
  std::vector<ptx::RegisterId> waiting;  // registers in which arguments and results wait, each written and read once
};

/// Gives rooms their sizes, branches back at the copies' ends, puts variables into rooms of their own, and saves around
/// each call what is alive behind it and may be overwritten meanwhile. Arguments and results must be in registers
/// (promote_parameters()). Nothing happens where there are no calls.
void lay_out_stack(ptx::Function& function, Recursion recursion, std::uint32_t stack_bytes);

}  // namespace warpfork::lower
