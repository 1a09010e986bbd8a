// The last word where memory is too short even for an error's way to who would tell of it.
#pragma once

#include <exception>

namespace warpfork {

/// While it lives, a lack of memory that no handler hears of, as it comes up in a destructor or on the way to one, ends
/// the process with what message_of() says of it and exit status 1. What else ends a process so is left to who was
/// asked before.
class MemoryShortageHandler {
 public:
  /// `at_end`, if there is one, is called then; it must take no memory.
  explicit MemoryShortageHandler(void (*at_end)() = nullptr);
  ~MemoryShortageHandler();
  MemoryShortageHandler(const MemoryShortageHandler&) = delete;
  MemoryShortageHandler& operator=(const MemoryShortageHandler&) = delete;

 private:
  std::terminate_handler before_;
};

}  // namespace warpfork
