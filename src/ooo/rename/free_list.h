// The free lists of the two physical register files, which all warps share (SIMT-X 3.2).
#pragma once

#include <array>
#include <vector>

#include "ooo/rename/physical_register.h"

namespace warpfork::ooo {

/// First in, first out. To be sure of progress a file needs two registers for each architectural register of its class
/// and warp, and eight more, the most that one µop can take (renamed_uop.h); with one thread a warp and no branch
/// predicted divergent one each, and two more.
class FreeList {
 public:
  FreeList(unsigned integer_registers, unsigned vector_registers);

  unsigned available(RegisterClass file) const { return queue(file).count; }
  unsigned available() const { return available(RegisterClass::Integer) + available(RegisterClass::Vector); }
  /// There must be one.
  PhysicalRegister take(RegisterClass file);
  void give(PhysicalRegister physical);
  /// Of both files, free or not.
  unsigned registers() const { return vector_begin_ + static_cast<unsigned>(files_[1].ring.size()); }

 private:
  struct Queue {
    std::vector<PhysicalRegister> ring;
    unsigned head = 0, count = 0;
  };
  const Queue& queue(RegisterClass file) const { return files_[static_cast<unsigned>(file)]; }

  unsigned vector_begin_;
  std::array<Queue, kRegisterClasses> files_;
};

}  // namespace warpfork::ooo
