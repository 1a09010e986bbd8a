#include "report/interval_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/kernel_name.h"
#include "report/record_visitor.h"

namespace warpfork::report {

namespace {

/// The names of a sample's keys, and their values.
class Row : public RecordVisitor {
 public:
  Row(std::string prefix, std::string& names, std::string& values)
      : prefix_(std::move(prefix)), names_(names), values_(values) {}

  template <class Value, class... About>
  void fact(const char* name, const Value& value, About&&...) {
    put(name, value);
  }
  template <class Value, class... About>
  void count(const char* name, const Value& value, About&&...) {
    put(name, value);
  }
  template <class... About>
  void rate(const char* name, double value, About&&...) {
    put(name, value);
  }
  template <class Group>
  void group(const char* name, Group&& group, const char*) {
    group.visit(Row(prefix_ + name + '.', names_, values_));
  }

 private:
  template <class Value>
  void put(const char* name, const Value& value) {
    names_ += ',' + prefix_ + name;
    values_ += fmt::format(",{}", value);
  }
  void put(const char* name, const std::vector<std::uint64_t>& values) {
    names_ += ',' + prefix_ + name;
    values_ += fmt::format(",{}", fmt::join(values, " "));
  }

  std::string prefix_;
  std::string& names_;
  std::string& values_;
};

/// A name may hold commas: f<int, 2>.
std::string quoted(const std::string& text) { return text.find(',') == text.npos ? text : fmt::format("\"{}\"", text); }

}  // namespace

std::string interval_csv(std::span<const LaunchRecord> launches) {
  std::string names, rows;
  IntervalSample().visit(Row("", names, rows));
  rows.clear();
  std::size_t number = 0;
  for (const LaunchRecord& launch : launches) {
    ++number;
    for (IntervalSample sample : launch.intervals.samples) {
      std::string unused;
      rows += fmt::format("{},{}", number, quoted(readable_kernel_name(launch.name)));
      sample.visit(Row("", unused, rows));
      rows += '\n';
    }
  }
  return "launch,kernel" + names + '\n' + rows;
}

}  // namespace warpfork::report
