// Sums and differences of records, count by count.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "report/lane_histogram.h"
#include "report/record_visitor.h"

namespace warpfork::report {

/// Visits the counts of a record, those of its groups too, in their order: each(count, whether it is a `largest`).
template <class Each>
class CountVisitor : public RecordVisitor {
 public:
  explicit CountVisitor(Each each) : each_(each) {}

  template <class Count, class... About>
  void count(const char*, Count&& value, About&&...) {
    visit(value, false);
  }
  template <class... About>
  void largest(const char*, std::uint64_t& value, About&&...) {
    visit(value, true);
  }
  template <class Value>
  void hidden(const char*, Value& value) {
    if constexpr (std::same_as<Value, std::uint64_t>) visit(value, false);
  }
  template <class Group>
  void group(const char*, Group&& group, const char*) {
    group.visit(*this);
  }

 private:
  void visit(std::uint64_t& value, bool largest) { each_(value, largest); }
  template <std::size_t N>
  void visit(std::array<std::uint64_t, N>& values, bool largest) {
    for (std::uint64_t& value : values) each_(value, largest);
  }

  template <std::size_t N>
  void visit(LaneHistogram<N> histogram, bool largest) {
    visit(histogram.counts, largest);
  }

  Each each_;
};

template <class Record>
std::vector<std::uint64_t> counts_of(Record record) {
  std::vector<std::uint64_t> counts;
  CountVisitor visitor([&](std::uint64_t& value, bool) { counts.push_back(value); });
  record.visit(visitor);
  return counts;
}

/// Both must be of the same kind: timed launches, or functional ones.
template <class Record>
void add(Record& sum, const Record& other) {
  const std::vector<std::uint64_t> counts = counts_of(other);
  auto next = counts.begin();
  CountVisitor visitor([&](std::uint64_t& value, bool largest) {
    value = largest ? std::max(value, *next) : value + *next;
    ++next;
  });
  sum.visit(visitor);
}

/// What has been counted since `before`; what is a largest one stays.
template <class Record>
Record difference(Record now, const Record& before) {
  const std::vector<std::uint64_t> counts = counts_of(before);
  auto next = counts.begin();
  CountVisitor visitor([&](std::uint64_t& value, bool largest) {
    if (!largest) value -= *next;
    ++next;
  });
  now.visit(visitor);
  return now;
}

}  // namespace warpfork::report
