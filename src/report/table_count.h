// What warps made of their split and reconvergence tables (docs/result-schema.md, "tables").
#pragma once

#include <cstdint>

namespace warpfork::report {

struct TableCount {
  std::uint64_t split_entries = 0, reconvergence_entries = 0;  // the most that one warp used
  std::uint64_t spills = 0, fills = 0, bytes = 0;

  void use(unsigned splits, unsigned reconvergence);
  void move(bool to_memory, unsigned moved_bytes);

  template <class Visitor>
  void visit(Visitor&& v) {
    v.largest("split_entries", split_entries, "entries",
              "the largest number of splits in one warp's split table (MULTIPATH Figure 19)");
    v.largest("reconvergence_entries", reconvergence_entries, "entries",
              "the largest number of entries of one warp's reconvergence table, with those in memory");
    v.count("spills", spills, "entries",
            "that went to memory because the table was full (`divergence.reconvergence_entries`)");
    v.count("fills", fills, "entries", "that came back");
    v.count("bytes", bytes, "bytes", "of both; each is an access to the L1 data cache");
  }
};

}  // namespace warpfork::report
