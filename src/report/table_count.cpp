#include "report/table_count.h"

#include <algorithm>

namespace warpfork::report {

void TableCount::use(unsigned splits, unsigned reconvergence) {
  split_entries = std::max<std::uint64_t>(split_entries, splits);
  reconvergence_entries = std::max<std::uint64_t>(reconvergence_entries, reconvergence);
}

void TableCount::move(bool to_memory, unsigned moved_bytes) {
  ++(to_memory ? spills : fills);
  bytes += moved_bytes;
}

}  // namespace warpfork::report
