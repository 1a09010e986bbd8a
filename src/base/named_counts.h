// Counts of a closed list of cases, by the name of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpfork {

/// What results call a case, and what it means.
struct CaseKey {
  const char* name;
  const char* doc;
};

/// A record's group with a key for each case. The counts must outlive it.
template <std::size_t N>
struct NamedCounts {
  std::array<std::uint64_t, N>& counts;
  const std::array<CaseKey, N>& cases;
  const char* unit;

  template <class Visitor>
  void visit(Visitor&& v) {
    for (std::size_t i = 0; i < N; ++i) v.count(cases[i].name, counts[i], unit, cases[i].doc);
  }
};

}  // namespace warpfork
