// What warps made of their split and reconvergence tables (docs/result-schema.md, "tables").
#pragma once

#include <cstdint>

#include "report/result_document.h"

namespace warpfork::report {

struct TableCount {
  unsigned split_entries = 0, reconvergence_entries = 0;  // the most that one warp used
  std::uint64_t spills = 0, fills = 0, bytes = 0;

  void use(unsigned splits, unsigned reconvergence);
  void move(bool to_memory, unsigned moved_bytes);
};

Json to_json(const TableCount& count);
/// Adds what to_json() wrote: sums, and the larger of the uses.
void add(TableCount& sum, const Json& count);

}  // namespace warpfork::report
