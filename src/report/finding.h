// What --racecheck and --memcheck have found in a launch (docs/checks.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"
#include "report/source_line.h"

namespace warpfork::report {

/// Who made an access, and where.
struct AccessPlace {
  std::string access;  // "read", "write" or "atomic"; empty = there was none
  std::array<unsigned, 3> block{}, thread{};
  Pc pc = 0;
  unsigned ptx_line = 0;
  SourceLine source;

  bool empty() const { return access.empty(); }

  template <class Visitor>
  void visit(Visitor&& v) {
    static constexpr const char* kAccesses[] = {"read", "write", "atomic"};
    v.fact("access", access, "text", "what it did", kAccesses);
    v.fact("block", block, "index", "x, y, z in the grid");
    v.fact("thread", thread, "index", "x, y, z in the block");
    v.fact("pc", pc, "index", "of the instruction in the kernel");
    v.fact("ptx_line", ptx_line, "line number", "of the instruction in the PTX text");
    v.fact("file", source.file, "text", "of its CUDA line from `.loc`, without the folder; empty = not known");
    v.fact("line", source.line, "line number", "there; 0 = not known");
  }
};

/// An allocation of device memory, and where in it.
struct AllocationPlace {
  std::string name;
  std::uint64_t bytes = 0, offset = 0;

  bool empty() const { return name.empty(); }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.fact("name", name, "text",
           "of a buffer or a variable, or which of the program's allocations it is: `cudaMalloc #0` is the first");
    v.fact("bytes", bytes, "bytes", "it has");
    v.fact("offset", offset, "bytes", "from its start to `address`");
  }
};

/// The same fault of the same two instructions is one finding.
struct Finding {
  std::string kind, space;
  std::uint64_t address = 0;
  std::uint64_t count = 0;
  AllocationPlace allocation;
  AccessPlace first, second;

  template <class Visitor>
  void visit(Visitor&& v) {
    static constexpr const char* kKinds[] = {"race", "uninitialised"};
    static constexpr const char* kSpaces[] = {"global", "shared", "local"};
    v.fact("kind", kind, "text",
           "`race`: nothing ordered two accesses of different threads, one of which at least wrote; `uninitialised`: "
           "nobody had written what was read",
           kKinds);
    v.fact("space", space, "text", "the memory", kSpaces);
    v.fact(
        "address", address, "bytes",
        "of the first one: in device memory, or from the start of the block's shared or the thread's local memory; of "
        "`uninitialised` the first byte that was not written");
    v.count("count", count, "accesses",
            "of these two instructions, for each address and second access one; of `uninitialised` those of threads");
    v.group("allocation", allocation, "in which a global address lies; see below");
    v.group("first", first, "the access before, of a race; see below");
    v.group("second", second, "the access at which it was found; see below");
  }
};

/// Empty where nobody asked for a check.
struct Findings {
  std::vector<std::string> checks;
  std::vector<Finding> list;

  bool empty() const { return checks.empty(); }

  template <class Visitor>
  void visit(Visitor&& v) {
    static constexpr const char* kChecks[] = {"races", "memory"};
    v.fact("checks", checks, "texts", "what was looked for", kChecks);
    v.list("list", list,
           "one entry for each kind, and pair of instructions, in the order in which they were found; see below");
  }
};

}  // namespace warpfork::report
