// Cycles in which a warp's renaming stopped.
#pragma once

#include <cstdint>

namespace warpfork::ooo {

struct RenameStalls {
  std::uint64_t merge = 0, no_register = 0;

  template <class Visitor>
  void visit(Visitor&& v) {
    constexpr const char* kUnit = "cycles of a warp";
    v.count("merge", merge, kUnit, "a register had to be merged twice in a cycle");
    v.count("register", no_register, kUnit, "no physical register was free");
  }
};

}  // namespace warpfork::ooo
