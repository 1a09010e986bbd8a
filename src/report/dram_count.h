// What the DRAM channels did.
#pragma once

#include <cstdint>

namespace warpfork::report {

struct DramCount {
  std::uint64_t reads = 0, writes = 0, activates = 0, precharges = 0, row_hits = 0;

  template <class Visitor>
  void visit(Visitor&& v) {
    v.count("reads", reads, "bursts", "read");
    v.count("writes", writes, "bursts", "written");
    v.count("activates", activates, "commands", "that opened a row");
    v.count("precharges", precharges, "commands", "that closed one");
    v.count("row_hits", row_hits, "bursts", "that found their row open");
  }
};

}  // namespace warpfork::report
