// Who launched a grid, if it was not the host (docs/result-schema.md, "launched_by").
#pragma once

#include <cstdint>

namespace warpfork::report {

struct Launcher {
  std::uint64_t launch = 0;

  /// The host was it.
  bool empty() const { return launch == 0; }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.fact("launch", launch, "launch", "number of that one, 1 for the program's first");
  }
};

}  // namespace warpfork::report
