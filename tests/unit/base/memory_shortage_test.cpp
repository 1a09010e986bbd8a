#include "base/memory_shortage.h"

#include <gtest/gtest.h>

#include <csignal>
#include <new>
#include <stdexcept>

namespace warpfork {
namespace memory_shortage_test {

template <class Thrown>
void fail() {
  throw Thrown();
}

/// Its destructor throws, as that of a large JSON object does that finds no memory.
template <class Thrown>
struct Careless {
  ~Careless() { fail<Thrown>(); }
};

struct Logic : std::logic_error {
  Logic() : std::logic_error("not of memory") {}
};

TEST(MemoryShortageHandler, ends_with_a_message_what_nobody_can_catch) {
  const auto end = [] {
    const MemoryShortageHandler handler;
    const Careless<std::bad_alloc> careless;
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(1), "^warpfork: error: not enough memory\n  a size in ");
}

TEST(MemoryShortageHandler, does_what_it_was_given_to_do_at_the_end) {
  const auto end = [] {
    const MemoryShortageHandler handler([] { std::_Exit(7); });
    const Careless<std::bad_alloc> careless;
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(7), "not enough memory");
}

TEST(MemoryShortageHandler, leaves_all_else_to_who_was_asked_before) {
  const auto end = [] {
    std::set_terminate([] { std::_Exit(9); });
    const MemoryShortageHandler handler;
    const Careless<Logic> careless;
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(9), "^$");
}

TEST(MemoryShortageHandler, is_gone_when_it_is_not_alive) {
  const std::terminate_handler before = std::get_terminate();
  { const MemoryShortageHandler handler; }
  EXPECT_EQ(std::get_terminate(), before);
}

}  // namespace memory_shortage_test
}  // namespace warpfork
