// A kernel's code as its control-flow graph has it (PTX ISA, "Control Flow Instructions").
#pragma once

#include <string>
#include <vector>

#include "base/types.h"

namespace warpfork::report {

/// Instructions that are entered only at the first and left only behind the last one.
struct CodeBlock {
  Pc pc = 0;
  std::vector<std::string> ptx;
  std::vector<unsigned> ptx_lines;
  std::vector<Pc> successors;
  std::vector<Pc> reconvergence;  // one at most

  template <class Visitor>
  void visit(Visitor&& v) {
    v.fact("pc", pc, "index", "of its first instruction in the kernel");
    v.fact("ptx", ptx, "texts", "its instructions, executed or not");
    v.fact("ptx_lines", ptx_lines, "line numbers", "of these in the PTX text");
    v.fact("successors", successors, "indices",
           "of the first instructions of the blocks that control may go to, a branch's target before what follows it; "
           "threads may also exit");
    v.fact("reconvergence", reconvergence, "indices",
           "of the first instruction of its immediate postdominator, where threads that part at its end meet again; "
           "empty: they do when they have exited");
  }
};

}  // namespace warpfork::report
