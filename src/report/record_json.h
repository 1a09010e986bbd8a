// Records as JSON, and back. The only form in which they are read is the one in which the process of a simulated
// program hands them to `warpfork run`.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/types.h"
#include "report/json.h"
#include "report/lane_histogram.h"
#include "report/record_visitor.h"

namespace warpfork::report {

/// What of a record is written.
enum class Extent {
  Result,  // the published keys (docs/result-schema.md)
  Sums,    // those that sums over launches have
  State    // what is needed to read it back: counts of zero are left out, as most are of a short launch
};

/// Of one number; lists of them are not.
template <class Value>
bool is_zero(const Value& value) {
  if constexpr (std::is_integral_v<Value>)
    return value == 0;
  else
    return false;
}

class JsonWriter : public RecordVisitor {
 public:
  JsonWriter(Json& object, Extent extent) : object_(object), extent_(extent) {}

  template <class Value, class... About>
  void fact(const char* name, const Value& value, About&&...) {
    if (extent_ != Extent::Sums) put(name, value);
  }
  template <class Value, class... About>
  void count(const char* name, const Value& value, About&&...) {
    if (extent_ == Extent::State && is_zero(value)) return;
    put(name, value);
  }
  template <class Value, class... About>
  void largest(const char* name, const Value& value, About&&...) {
    count(name, value);
  }
  template <class Value, class... About>
  void rate(const char* name, const Value& value, About&&...) {
    if (extent_ != Extent::State) put(name, value);
  }
  template <class Value, class... About>
  void note(const char* name, const Value& value, About&&...) {
    if (extent_ == Extent::Result) put(name, value);
  }
  template <class Group>
  void group(const char* name, Group&& group, const char*) {
    if constexpr (requires { group.empty(); })
      if (group.empty()) return;
    Json object = object_of(group);
    if (!object.empty() || extent_ == Extent::State) object_[name] = std::move(object);
  }
  template <class Group>
  void nullable(const char* name, Group& group, const char*) {
    if (extent_ != Extent::Sums) object_[name] = group.empty() ? Json() : object_of(group);
  }
  template <class List>
  void list(const char* name, List& list, const char*) {
    if (extent_ == Extent::Sums) return;
    Json& array = object_[name] = Json::array();
    for (auto& record : list) array.push_back(object_of(record));
  }
  void mark(const char* name, const std::string& text, const char*) {
    if (extent_ == Extent::Sums || text.empty()) return;
    object_[name] = extent_ == Extent::State ? Json(text) : Json(true);
  }
  template <class Value>
  void hidden(const char* name, const Value& value) {
    if (extent_ == Extent::State) put(name, value);
  }

 private:
  template <class Value>
  void put(const char* name, const Value& value) {
    object_[name] = value;
  }
  template <std::size_t N>
  void put(const char* name, const LaneHistogram<N>& value) {
    std::vector<std::uint64_t> counts(value.begin(), value.end());
    while (extent_ == Extent::State && !counts.empty() && counts.back() == 0) counts.pop_back();
    object_[name] = std::move(counts);
  }
  void put(const char* name, Dim3 value) { object_[name] = {value.x, value.y, value.z}; }
  template <class Record>
  Json object_of(Record& record) const {
    Json object = Json::object();
    record.visit(JsonWriter(object, extent_));
    return object;
  }

  Json& object_;
  Extent extent_;
};

/// Reads what was written with Extent::State into a new record. Throws Json::exception if a key is missing, but for
/// single counts, or of another type.
class JsonReader : public RecordVisitor {
 public:
  explicit JsonReader(const Json& object) : object_(object) {}

  template <class Value, class... About>
  void fact(const char* name, Value& value, About&&...) {
    get(name, value);
  }
  template <class Value, class... About>
  void count(const char* name, Value&& value, About&&...) {
    if (!is_zero(value) || object_.contains(name)) get(name, value);  // zero is what a new record has
  }
  template <class Value, class... About>
  void largest(const char* name, Value& value, About&&...) {
    count(name, value);
  }
  template <class Group>
  void group(const char* name, Group&& group, const char*) {
    if constexpr (requires { group.empty(); })
      if (!object_.contains(name)) return;
    group.visit(JsonReader(object_.at(name)));
  }
  template <class Group>
  void nullable(const char* name, Group& group, const char*) {
    if (const Json& part = object_.at(name); !part.is_null()) group.visit(JsonReader(part));
  }
  template <class List>
  void list(const char* name, List& list, const char*) {
    for (const Json& part : object_.at(name)) list.emplace_back().visit(JsonReader(part));
  }
  void mark(const char* name, std::string& text, const char*) {
    if (object_.contains(name)) get(name, text);
  }
  template <class Value>
  void hidden(const char* name, Value& value) {
    get(name, value);
  }

 private:
  template <class Value>
  void get(const char* name, Value& value) const {
    object_.at(name).get_to(value);
  }
  template <std::size_t N>
  void get(const char* name, LaneHistogram<N>& value) const {
    const Json& list = object_.at(name);
    if (list.size() > value.number) throw Error("{}: {} counts instead of {}", name, list.size(), value.number);
    for (std::size_t i = 0; i < list.size(); ++i) value.counts[i] = list[i];
  }
  void get(const char* name, Dim3& value) const {
    const Json& list = object_.at(name);
    value = {list.at(0), list.at(1), list.at(2)};
  }

  const Json& object_;
};

template <class Record>
Json to_json(Record record, Extent extent) {
  Json object = Json::object();
  record.visit(JsonWriter(object, extent));
  return object;
}

}  // namespace warpfork::report
