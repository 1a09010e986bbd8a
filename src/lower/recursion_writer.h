// What stands around the copies of recursive functions, and around calls of them, before the stack is laid out.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lower/recursion.h"

namespace warpfork::lower {

/// Appends to the function and notes what it has appended.
class RecursionWriter {
 public:
  RecursionWriter(ptx::Function& out, ptx::ScalarType address) : out_(out), address_(address) {}

  /// Return numbers. The names are those of the copy's variables, by what its function calls them.
  unsigned add_copy(const std::map<std::string, std::string>& names);
  unsigned add_call(unsigned copy);

  void begin_room(unsigned room, const ptx::Location& location) { move_stack(ptx::Opcode::Add, room, location); }
  void end_room(unsigned room, const ptx::Location& location) { move_stack(ptx::Opcode::Sub, room, location); }
  /// A frame for the copy's next activation.
  void set_frame(unsigned copy, const ptx::Location& location);
  /// Where the activation returns to: behind the copy, or behind that call.
  void return_behind_copy(unsigned copy, const ptx::Location& location) { set_return_number(copy, 0, location); }
  void return_behind_call(unsigned call, const ptx::Location& location);

  /// Registers in which arguments or results wait.
  void add_waiting(const std::vector<ptx::RegisterId>& registers);
  /// Likewise, the results of this call.
  void set_results(unsigned call, std::vector<ptx::RegisterId> registers);
  Recursion take() { return std::move(recursion_); }

 private:
  ptx::RegisterId fresh(const char* name, ptx::ScalarType type);
  void move_stack(ptx::Opcode opcode, unsigned room, const ptx::Location& location);
  void set_return_number(unsigned copy, unsigned number, const ptx::Location& location);

  ptx::Function& out_;
  ptx::ScalarType address_;
  Recursion recursion_;
};

}  // namespace warpfork::lower
