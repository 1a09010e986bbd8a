#include "base/memory_shortage.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/error.h"

namespace warpfork {

namespace {

std::atomic<std::terminate_handler> asked_before;
std::atomic<void (*)()> at_the_end;

/// Past stdio, which may want memory for its buffer.
void print(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) std::_Exit(EXIT_FAILURE);
}

[[noreturn]] void end() {
  try {
    if (const std::exception_ptr present = std::current_exception()) std::rethrow_exception(present);
  } catch (const std::bad_alloc& error) {
    print("warpfork: ");
    print(message_of(error));
    print("\n");
    if (void (*const at_end)() = at_the_end) at_end();
    std::_Exit(EXIT_FAILURE);
  } catch (...) {  // is told by whoever was asked before
  }
  if (const std::terminate_handler before = asked_before) before();
  std::abort();
}

}  // namespace

MemoryShortageHandler::MemoryShortageHandler(void (*at_end)()) : before_(std::get_terminate()) {
  asked_before = before_;
  at_the_end = at_end;
  std::set_terminate(end);
}

MemoryShortageHandler::~MemoryShortageHandler() { std::set_terminate(before_); }

}  // namespace warpfork
