// What a machine description says about one core-side cache: L1 data, L1 instruction, constant or texture.
#pragma once

namespace warpfork::memory {

struct CacheSpec {
  unsigned sets = 32;
  unsigned line_bytes = 128;
  unsigned ways = 4;
  unsigned mshr_entries = 32;
  unsigned mshr_merges = 8;
  unsigned miss_queue = 8;
  bool hash_index = false;
  bool allocate_on_fill = false;
  bool allocate_local_stores = false;
  unsigned data_port_bytes = 128;
  unsigned hit_latency = 1;

  template <class Visit>
  void visit(Visit&& v) {
    v("sets", sets, "sets, a power of two", {1, 65536});
    v("line_bytes", line_bytes, "bytes of a line, a power of two", {32, 128});
    v("ways", ways, "lines of a set; the least recently used one is replaced", {1, 4096});
    v("mshr_entries", mshr_entries, "misses that may be outstanding", {1, 4096});
    v("mshr_merges", mshr_merges, "accesses that may wait for one miss, the first included", {1, 4096});
    v("miss_queue", miss_queue, "requests that may wait for the interconnect", {2, 4096});
    v("hash_index", hash_index, "set index hashed as in Fermi's L1 (32 or 64 sets); else straight from the address");
    v("allocate_on_fill", allocate_on_fill, "a missing line takes its place when it arrives, not when it is asked for");
    v("allocate_local_stores", allocate_local_stores,
      "a store of a whole line to local memory that misses takes a line of the L1 data cache; others hold no stores");
    v("data_port_bytes", data_port_bytes, "bytes a hit reads in one cycle", {1, 4096});
    v("hit_latency", hit_latency,
      "core cycles from the access to the data of a hit in the L1 data cache; 1 for others, whose hits the pipeline "
      "times",
      {1, 1 << 20});
  }
};

}  // namespace warpfork::memory
