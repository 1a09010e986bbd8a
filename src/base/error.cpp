#include "base/error.h"

#include <new>

namespace warpfork {

const char* message_of(const std::exception& error) {
  const bool too_large = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                         dynamic_cast<const std::length_error*>(&error) != nullptr;
  if (!too_large) return error.what();
  return "error: not enough memory\n  a size in the description of the machine, or the work itself, is too large here";
}

}  // namespace warpfork
