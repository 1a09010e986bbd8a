// Accesses to the caches of all cores, and to the L2.
#pragma once

#include <cstdint>

namespace warpfork::report {

struct CacheCount {
  std::uint64_t accesses = 0, misses = 0;

  template <class Visitor>
  void visit(Visitor&& v) {
    v.count("accesses", accesses, "accesses",
            "to the L2 one 32-byte sector each, to the others one transaction or fetch");
    v.count("misses", misses, "accesses",
            "of these, those whose line or sector was not there, be it on its way or not");
  }
};

struct CacheCounts {
  CacheCount l1d, l1i, constant, texture, l2;

  template <class Visitor>
  void visit(Visitor&& v) {
    v.group("l1d", l1d, "the cores' L1 data caches");
    v.group("l1i", l1i, "their instruction caches");
    v.group("constant", constant, "their constant caches");
    v.group("texture", texture, "their texture caches");
    v.group("l2", l2, "all slices of the L2");
  }
};

}  // namespace warpfork::report
