#include "ooo/rename/free_list.h"

#include <fmt/format.h>

#include "base/error.h"

namespace warpfork::ooo {

FreeList::FreeList(unsigned integer_registers, unsigned vector_registers, unsigned flag_registers)
    : vector_begin_(integer_registers), flags_begin_(integer_registers + vector_registers) {
  if (flags_begin_ + flag_registers >= kNoRegister)
    throw Error(
        "error: {} integer and {} vector registers, with those that the core adds, and {} of flags\n"
        "  there may be {} in all: pipeline.integer_registers and pipeline.vector_registers set them",
        integer_registers, vector_registers, flag_registers, kNoRegister - 1);
  files_[0].ring.resize(integer_registers);
  files_[1].ring.resize(vector_registers);
  files_[2].ring.resize(flag_registers);
  for (unsigned i = 0; i < registers(); ++i) give(static_cast<PhysicalRegister>(i));
}

}  // namespace warpfork::ooo
