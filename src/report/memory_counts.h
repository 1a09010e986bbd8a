// What caches and memory did.
#pragma once

#include "report/cache_counts.h"
#include "report/dram_count.h"

namespace warpfork::report {

struct MemoryCounts {
  CacheCounts caches;
  DramCount dram;

  template <class Visitor>
  void visit(Visitor&& v) {
    v.group("caches", caches, "accesses and misses, by cache; see below");
    v.group("dram", dram, "what the DRAM channels did; see below");
  }
};

}  // namespace warpfork::report
