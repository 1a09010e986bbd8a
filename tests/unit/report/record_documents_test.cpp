// Schema and documentation say of every key of a launch what visit() says. With WARPFORK_UPDATE_GOLDENS set they are
// rewritten (scripts/update_goldens.sh): what is then to be read is their diff.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "report/launch_totals.h"
#include "report/result_document.h"
#include "unit/report/document_tables.h"

namespace warpfork::report {
namespace record_documents_test {

constexpr const char* kSchema = "docs/result.schema.json";
constexpr const char* kDocument = "docs/result-schema.md";

LaunchRecord launch(bool timed) {
  LaunchRecord record;
  record.timed = timed;
  return record;
}

/// Records with equal keys (the caches, the causes of a stall) have one table, that of the first.
std::map<std::string, std::string> tables() {
  std::map<std::string, std::string> tables = tables_of(KeyVisitor::of(launch(true)), "launch");
  for (const auto& [twin, first] :
       {std::pair("l1i", "l1d"), std::pair("constant", "l1d"), std::pair("texture", "l1d"), std::pair("l2", "l1d"),
        std::pair("stalled", "stalls"), std::pair("stall_cycles", "stalls"), std::pair("second", "first")}) {
    EXPECT_EQ(tables[twin], tables[first]);
    tables.erase(twin);
  }
  return tables;
}

TEST(RecordDocuments, every_key_of_a_launch_has_a_unit_and_a_definition) {
  const auto names = documented(KeyVisitor::of(launch(true)));
  EXPECT_TRUE(names.contains({"stalls", "memory"}));
  EXPECT_TRUE(names.contains({"branches", "mean_splits"}));
}

TEST(RecordDocumentsGolden, the_schema_is_that_of_what_visit_names) {
  Json schema = Json::parse(std::ifstream(kSchema));
  schema["$defs"]["timing_launch"] = SchemaVisitor::of(launch(true), false);
  schema["$defs"]["functional_launch"] = SchemaVisitor::of(launch(false), false);
  schema["$defs"]["totals"] = SchemaVisitor::of(LaunchTotals(), true);
  schema["$defs"]["priced_totals"] = with_costs(schema["$defs"]["totals"], "#/$defs/energy", "#/$defs/area");
  expect_file(kSchema, write_document(schema));
}

TEST(RecordDocumentsGolden, the_documentation_has_a_table_of_each_records_keys) {
  expect_file(kDocument, with_tables(text_of(kDocument), tables()));
}

}  // namespace record_documents_test
}  // namespace warpfork::report
