// What a machine description says about one slice of the L2 cache.
#pragma once

namespace warpfork::memory {

struct L2Spec {
  unsigned sets = 64;
  unsigned ways = 8;
  unsigned sector_bytes = 32;
  unsigned mshr_entries = 256;
  unsigned mshr_merges = 4;
  unsigned miss_queue = 4;
  unsigned data_port_bytes = 32;
  unsigned rop_delay = 120;
  unsigned request_queue = 64;
  unsigned dram_queue = 64;
  unsigned fill_queue = 64;
  unsigned reply_queue = 64;
  bool filled_by_copies = false;

  template <class Visit>
  void visit(Visit&& v) {
    v("sets", sets, "sets of a slice, a power of two; lines have 128 bytes", {1, 65536});
    v("ways", ways, "lines of a set; the least recently used one is replaced", {1, 4096});
    v("sector_bytes", sector_bytes, "bytes of a sector, the unit of access and of DRAM traffic: 16, 32, 64 or 128",
      {16, 128});
    v("mshr_entries", mshr_entries, "sectors that may be on their way from DRAM", {1, 4096});
    v("mshr_merges", mshr_merges, "accesses that may wait for one sector, the first included", {1, 4096});
    v("miss_queue", miss_queue, "requests between the tags and the queue to DRAM; a read miss needs 2 places",
      {2, 4096});
    v("data_port_bytes", data_port_bytes, "bytes of an evicted line that leave in one cycle", {1, 4096});
    v("rop_delay", rop_delay, "core cycles from the interconnect to the slice's queue", {0, 1 << 20});
    v("request_queue", request_queue, "sectors that wait for the slice", {1, 4096});
    v("dram_queue", dram_queue, "requests that wait for the DRAM channel", {1, 4096});
    v("fill_queue", fill_queue, "sectors from DRAM that wait to be filled in", {1, 4096});
    v("reply_queue", reply_queue, "answers that wait for the interconnect", {0, 4096});
    v("filled_by_copies", filled_by_copies, "copies from the host leave their sectors in the L2");
  }
};

}  // namespace warpfork::memory
