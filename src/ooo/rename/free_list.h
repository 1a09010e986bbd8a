// The free lists of the physical register files, which all warps share (SIMT-X 3.2).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <vector>

#include "base/error.h"
#include "ooo/rename/physical_register.h"

namespace warpfork::ooo {

/// First in, first out. To be sure of progress a file needs two registers for each architectural register of its class
/// and warp, but one for a temporary, and eight more, the most that one µop can take; with one thread a warp and no
/// branch predicted divergent one each, and two more. Of flags, for each warp, as many as FlagVersions may hold and one
/// for each lane.
class FreeList {
 public:
  FreeList(unsigned integer_registers, unsigned vector_registers, unsigned flag_registers = 0);

  unsigned available(RegisterClass file) const { return queue(file).count; }
  unsigned available() const {
    return available(RegisterClass::Integer) + available(RegisterClass::Vector) + available(RegisterClass::Flags);
  }
  /// There must be one.
  PhysicalRegister take(RegisterClass file);
  void give(PhysicalRegister physical);
  /// Of all files, free or not.
  unsigned registers() const { return flags_begin_ + static_cast<unsigned>(files_[2].ring.size()); }

 private:
  struct Queue {
    std::vector<PhysicalRegister> ring;
    unsigned head = 0, count = 0;
  };
  const Queue& queue(RegisterClass file) const { return files_[static_cast<unsigned>(file)]; }

  unsigned vector_begin_, flags_begin_;
  std::array<Queue, kRegisterClasses> files_;
};

inline PhysicalRegister FreeList::take(RegisterClass file) {
  Queue& queue = files_[static_cast<unsigned>(file)];
  check(queue.count != 0, [] { return "a physical register is taken from an empty free list"; });
  const PhysicalRegister physical = queue.ring[queue.head];
  if (++queue.head == queue.ring.size()) queue.head = 0;
  --queue.count;
  return physical;
}

inline void FreeList::give(PhysicalRegister physical) {
  Queue& queue = files_[physical < vector_begin_ ? 0 : physical < flags_begin_ ? 1 : 2];
  check(queue.count < queue.ring.size(),
        [&] { return fmt::format("physical register p{} is freed though all are free", physical); });
  const std::size_t place = queue.head + queue.count++;
  queue.ring[place < queue.ring.size() ? place : place - queue.ring.size()] = physical;
}

}  // namespace warpfork::ooo
