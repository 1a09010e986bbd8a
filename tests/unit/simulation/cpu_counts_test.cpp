// The counts of a CPU core, as visit() names them: documented, written, read back and summed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "ooo/core_counts.h"
#include "report/record_json.h"
#include "report/record_sum.h"
#include "report/result_document.h"
#include "unit/report/document_tables.h"

namespace warpfork::simulation {
namespace cpu_counts_test {

using ooo::CoreCounts;
using report::Json;

constexpr const char* kDocument = "docs/cpu.md";
constexpr const char* kSchema = "docs/cpu-result.schema.json";

/// Each count another number: 1, 2, 3, …
CoreCounts numbered() {
  CoreCounts counts;
  std::uint64_t number = 0;
  report::CountVisitor visitor([&](std::uint64_t& value, bool) { value = ++number; });
  counts.visit(visitor);
  return counts;
}

TEST(CpuCounts, have_a_unit_and_a_definition_each) {
  const auto names = report::documented(report::KeyVisitor::of(CoreCounts()));
  EXPECT_TRUE(names.contains({"", "missed_divergences"}));
  EXPECT_TRUE(names.contains({"stalls", "register"}));
  EXPECT_TRUE(names.contains({"memory", "write_backs"}));
}

TEST(CpuCountsGolden, the_documentation_has_a_table_of_each_records_keys) {
  const auto tables = report::tables_of(report::KeyVisitor::of(CoreCounts()), "totals");
  report::expect_file(kDocument, report::with_tables(report::text_of(kDocument), tables));
}

TEST(CpuCountsGolden, the_schema_is_that_of_what_visit_names) {
  Json schema = Json::parse(std::ifstream(kSchema)), totals = report::SchemaVisitor::of(CoreCounts(), false);
  for (const char* key : {"energy", "area"}) totals["required"].push_back(key);
  schema["$defs"]["totals"] = report::with_costs(totals, "#/$defs/energy", "#/$defs/area");
  report::expect_file(kSchema, report::write_document(schema));
}

// 8 numbers, 5 kinds of operations, 5 numbers of branches, 8 causes, 2 stalls and 8 numbers of the data side.
TEST(CpuCounts, are_written_and_read_back) {
  const CoreCounts counts = numbered();
  EXPECT_EQ(counts.memory.write_backs, 36u);
  CoreCounts read;
  read.visit(report::JsonReader(report::to_json(counts, report::Extent::State)));
  EXPECT_EQ(report::counts_of(read), report::counts_of(counts));
}

TEST(CpuCounts, of_two_runs_sum_up) {
  CoreCounts sum = numbered();
  report::add(sum, numbered());
  EXPECT_EQ(sum.front.thread_instructions, 6u);  // the third
  EXPECT_EQ(sum.memory.write_backs, 72u);
  EXPECT_EQ(sum.ipc(), 3.0);
}

TEST(CpuCounts, have_rates_of_their_sums) {
  const Json json = report::to_json(numbered(), report::Extent::Result);
  EXPECT_EQ(json["ipc"], 3.0);        // third of the first
  EXPECT_EQ(json["occupancy"], 1.5);  // third of the second
  EXPECT_EQ(json["stalls"]["merge"], 27);
}

}  // namespace cpu_counts_test
}  // namespace warpfork::simulation
