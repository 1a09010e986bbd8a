#include "ooo/rename/free_list.h"

#include <fmt/format.h>

#include "base/error.h"

namespace warpfork::ooo {

FreeList::FreeList(unsigned integer_registers, unsigned vector_registers, unsigned flag_registers)
    : vector_begin_(integer_registers), flags_begin_(integer_registers + vector_registers) {
  if (flags_begin_ + flag_registers >= kNoRegister)
    throw Error("error: {} and {} physical registers, and {} of flags\n  there may be {} in all", integer_registers,
                vector_registers, flag_registers, kNoRegister - 1);
  files_[0].ring.resize(integer_registers);
  files_[1].ring.resize(vector_registers);
  files_[2].ring.resize(flag_registers);
  for (unsigned i = 0; i < registers(); ++i) give(static_cast<PhysicalRegister>(i));
}

PhysicalRegister FreeList::take(RegisterClass file) {
  Queue& queue = files_[static_cast<unsigned>(file)];
  check(queue.count != 0, [] { return "a physical register is taken from an empty free list"; });
  const PhysicalRegister physical = queue.ring[queue.head];
  if (++queue.head == queue.ring.size()) queue.head = 0;
  --queue.count;
  return physical;
}

void FreeList::give(PhysicalRegister physical) {
  Queue& queue = files_[physical < vector_begin_ ? 0 : physical < flags_begin_ ? 1 : 2];
  check(queue.count < queue.ring.size(),
        [&] { return fmt::format("physical register p{} is freed though all are free", physical); });
  const std::size_t place = queue.head + queue.count++;
  queue.ring[place < queue.ring.size() ? place : place - queue.ring.size()] = physical;
}

}  // namespace warpfork::ooo
