// What is published of a record's keys: their JSON Schema, and the tables of docs/result-schema.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/types.h"
#include "report/json.h"
#include "report/lane_histogram.h"
#include "report/record_visitor.h"

namespace warpfork::report {

constexpr std::string_view kShare = "0 … 1";  // the unit of what cannot be more than 1

inline Json schema_of(std::uint64_t, std::string_view) { return {{"type", "integer"}, {"minimum", 0}}; }
inline Json schema_of(unsigned, std::string_view) { return schema_of(std::uint64_t{}, {}); }
inline Json schema_of(const std::string&, std::string_view) { return {{"type", "string"}}; }
inline Json schema_of(double, std::string_view unit) {
  Json schema = {{"type", "number"}, {"minimum", 0}};
  if (unit == kShare) schema["maximum"] = 1;
  return schema;
}
inline Json schema_of(Dim3, std::string_view) {
  return {{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 1}}}, {"minItems", 3}, {"maxItems", 3}};
}
template <class Item, std::size_t N>
Json schema_of(const std::array<Item, N>&, std::string_view unit) {
  return {{"type", "array"}, {"items", schema_of(Item{}, unit)}, {"minItems", N}, {"maxItems", N}};
}
template <std::size_t N>
Json schema_of(const LaneHistogram<N>& histogram, std::string_view unit) {
  const Json count = schema_of(std::uint64_t{}, unit);
  return {{"type", "array"}, {"items", count}, {"minItems", histogram.number}, {"maxItems", N}};
}
template <class Item>
Json schema_of(const std::vector<Item>&, std::string_view unit) {
  return {{"type", "array"}, {"items", schema_of(Item{}, unit)}};
}
inline Json schema_of(const std::map<std::string, double>&, std::string_view unit) {
  return {{"type", "object"}, {"additionalProperties", schema_of(double{}, unit)}};
}

/// Adds the keys `energy` and `area`, which the schema describes elsewhere.
inline Json with_costs(Json record, const char* energy, const char* area) {
  record["properties"]["energy"] = {{"$ref", energy}, {"description", "of the run"}};
  record["properties"]["area"] = {{"$ref", area}, {"description", "of what it ran on"}};
  return record;
}

/// Of an object with a record's keys, as Extent::Result or, with `sums`, Extent::Sums writes them.
class SchemaVisitor : public RecordVisitor {
 public:
  explicit SchemaVisitor(bool sums) : sums_(sums) {}

  template <class Record>
  static Json of(Record&& record, bool sums) {
    SchemaVisitor visitor(sums);
    record.visit(visitor);
    return {
        {"type", "object"}, {"properties", std::move(visitor.properties_)}, {"required", std::move(visitor.required_)}};
  }

  template <class Value>
  void count(const char* name, const Value& value, const char* unit, const char* doc) {
    require(name, schema_of(value, unit), unit, doc);
  }
  template <class Value>
  void largest(const char* name, const Value& value, const char* unit, const char* doc) {
    require(name, schema_of(value, unit), unit, doc);
  }
  template <class Value>
  void rate(const char* name, const Value& value, const char* unit, const char* doc) {
    require(name, schema_of(value, unit), unit, doc);
  }
  template <class Value>
  void fact(const char* name, const Value& value, const char* unit, const char* doc) {
    if (!sums_) require(name, schema_of(value, unit), unit, doc);
  }
  template <std::size_t N>
  void fact(const char* name, const std::string&, const char* unit, const char* doc, const char* const (&allowed)[N]) {
    if (!sums_) require(name, {{"enum", allowed}}, unit, doc);
  }
  template <std::size_t N>
  void fact(const char* name, const std::vector<std::string>&, const char* unit, const char* doc,
            const char* const (&allowed)[N]) {
    if (!sums_) require(name, {{"type", "array"}, {"items", {{"enum", allowed}}}, {"uniqueItems", true}}, unit, doc);
  }
  template <class Value>
  void note(const char* name, const Value& value, const char* unit, const char* doc) {
    if (!sums_) require(name, schema_of(value, unit), unit, doc);
  }
  void note(const char* name, const std::string& value, const char* unit, const char* doc) {
    if (!sums_) require(name, {{"const", value}}, unit, doc);
  }
  template <class Group>
  void group(const char* name, Group&& group, const char* doc) {
    Json schema = of(group, sums_);
    if (schema["properties"].empty()) return;
    describe(name, std::move(schema), doc);
    if constexpr (!requires { group.empty(); }) required_.push_back(name);
  }
  template <class Group>
  void nullable(const char* name, Group& group, const char* doc) {
    describe(name, {{"oneOf", {{{"type", "null"}}, of(group, sums_)}}}, doc);
    required_.push_back(name);
  }
  template <class Item>
  void list(const char* name, const std::vector<Item>&, const char* doc) {
    if (sums_) return;
    describe(name, {{"type", "array"}, {"items", of(Item(), false)}}, doc);
    required_.push_back(name);
  }
  void mark(const char* name, const std::string&, const char* doc) {
    if (!sums_) describe(name, {{"const", true}}, doc);
  }

 private:
  void require(const char* name, Json schema, const std::string& unit, const std::string& doc) {
    describe(name, std::move(schema), unit + ": " + doc);
    required_.push_back(name);
  }
  void describe(const char* name, Json schema, const std::string& doc) {
    schema["description"] = doc;
    properties_[name] = std::move(schema);
  }

  bool sums_;
  Json properties_ = Json::object(), required_ = Json::array();
};

/// A key, wherever in a record.
struct PublishedKey {
  std::string record;  // the key of its group; empty = the outermost record's
  std::string name, unit, doc;
};

/// Lists the keys of a record, then those of each group.
class KeyVisitor : public RecordVisitor {
 public:
  KeyVisitor(std::string record, std::vector<PublishedKey>& keys) : record_(std::move(record)), keys_(keys) {}

  template <class Record>
  static std::vector<PublishedKey> of(Record&& record) {
    std::vector<PublishedKey> keys;
    record.visit(KeyVisitor("", keys));
    return keys;
  }

  template <class Value, class... Allowed>
  void fact(const char* name, const Value&, const char* unit, const char* doc, const Allowed&...) {
    keys_.push_back({record_, name, unit, doc});
  }
  template <class Value>
  void count(const char* name, const Value&, const char* unit, const char* doc) {
    keys_.push_back({record_, name, unit, doc});
  }
  template <class Value>
  void largest(const char* name, const Value&, const char* unit, const char* doc) {
    keys_.push_back({record_, name, unit, doc});
  }
  template <class Value>
  void rate(const char* name, const Value&, const char* unit, const char* doc) {
    keys_.push_back({record_, name, unit, doc});
  }
  template <class Value>
  void note(const char* name, const Value&, const char* unit, const char* doc) {
    keys_.push_back({record_, name, unit, doc});
  }
  template <class Group>
  void group(const char* name, Group&& group, const char* doc) {
    keys_.push_back({record_, name, "object", doc});
    group.visit(KeyVisitor(name, keys_));
  }
  template <class Group>
  void nullable(const char* name, Group& record, const char* doc) {
    group(name, record, doc);
  }
  template <class Item>
  void list(const char* name, const std::vector<Item>&, const char* doc) {
    keys_.push_back({record_, name, "objects", doc});
    Item().visit(KeyVisitor(name, keys_));
  }
  void mark(const char* name, const std::string&, const char* doc) { keys_.push_back({record_, name, "`true`", doc}); }

 private:
  std::string record_;
  std::vector<PublishedKey>& keys_;
};

}  // namespace warpfork::report
