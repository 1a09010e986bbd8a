#include "report/table_count.h"

#include <algorithm>

namespace warpfork::report {

void TableCount::use(unsigned splits, unsigned reconvergence) {
  split_entries = std::max(split_entries, splits);
  reconvergence_entries = std::max(reconvergence_entries, reconvergence);
}

void TableCount::move(bool to_memory, unsigned moved_bytes) {
  ++(to_memory ? spills : fills);
  bytes += moved_bytes;
}

Json to_json(const TableCount& count) {
  return {{"split_entries", count.split_entries},
          {"reconvergence_entries", count.reconvergence_entries},
          {"spills", count.spills},
          {"fills", count.fills},
          {"bytes", count.bytes}};
}

void add(TableCount& sum, const Json& count) {
  sum.use(count.at("split_entries"), count.at("reconvergence_entries"));
  sum.spills += count.at("spills").get<std::uint64_t>();
  sum.fills += count.at("fills").get<std::uint64_t>();
  sum.bytes += count.at("bytes").get<std::uint64_t>();
}

}  // namespace warpfork::report
