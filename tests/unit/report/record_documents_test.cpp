// Schema and documentation say of every key of a launch what visit() says. With WARPFORK_UPDATE_GOLDENS set they are
// rewritten (scripts/update_goldens.sh): what is then to be read is their diff.
#include "unit/report/record_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "report/launch_totals.h"
#include "report/result_document.h"

namespace warpfork::report {
namespace {

constexpr const char* kSchema = "docs/result.schema.json";
constexpr const char* kDocument = "docs/result-schema.md";

LaunchRecord launch(bool timed) {
  LaunchRecord record;
  record.timed = timed;
  return record;
}

std::string text_of(const char* file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

void expect_file(const char* file, const std::string& text) {
  if (std::getenv("WARPFORK_UPDATE_GOLDENS") != nullptr) std::ofstream(file) << text;
  EXPECT_EQ(text_of(file), text) << "scripts/update_goldens.sh rewrites " << file;
}

/// By the key of the record; records with equal keys (the caches) have one, that of the first.
std::map<std::string, std::string> tables() {
  std::map<std::string, std::string> tables;
  for (const PublishedKey& key : KeyVisitor::of(launch(true))) {
    std::string& table = tables[key.record.empty() ? "launch" : key.record];
    if (table.empty()) table = "| key | unit | definition |\n| --- | --- | --- |\n";
    table += "| `" + key.name + "` | " + key.unit + " | " + key.doc + " |\n";
  }
  for (const char* cache : {"l1i", "constant", "texture", "l2"}) {
    EXPECT_EQ(tables[cache], tables["l1d"]);
    tables.erase(cache);
  }
  return tables;
}

/// The text with this table between the lines `<!-- keys of NAME -->` and `<!-- end of NAME -->`.
std::string with_table(const std::string& text, const std::string& name, const std::string& table) {
  const std::string head = "<!-- keys of " + name + " -->\n", end = "<!-- end of " + name + " -->\n";
  const std::size_t from = text.find(head), to = text.find(end);
  if (from == std::string::npos || to == std::string::npos) {
    ADD_FAILURE() << kDocument << " has no place for the keys of " << name << ": " << head << end;
    return text;
  }
  return text.substr(0, from + head.size()) + table + text.substr(to);
}

TEST(RecordDocuments, every_key_of_a_launch_has_a_unit_and_a_definition) {
  std::set<std::pair<std::string, std::string>> names;
  for (const PublishedKey& key : KeyVisitor::of(launch(true))) {
    EXPECT_NE(key.unit, "") << key.name;
    EXPECT_GT(key.doc.size(), 2u) << key.name;
    EXPECT_TRUE(names.emplace(key.record, key.name).second) << key.record << " has two keys " << key.name;
  }
  EXPECT_TRUE(names.contains({"stalls", "memory"}));
  EXPECT_TRUE(names.contains({"branches", "mean_splits"}));
}

TEST(RecordDocumentsGolden, the_schema_is_that_of_what_visit_names) {
  Json schema = Json::parse(std::ifstream(kSchema));
  schema["$defs"]["timing_launch"] = SchemaVisitor::of(launch(true), false);
  schema["$defs"]["functional_launch"] = SchemaVisitor::of(launch(false), false);
  schema["$defs"]["totals"] = SchemaVisitor::of(LaunchTotals(), true);
  expect_file(kSchema, write_document(schema));
}

TEST(RecordDocumentsGolden, the_documentation_has_a_table_of_each_records_keys) {
  std::string text = text_of(kDocument);
  for (const auto& [name, table] : tables()) text = with_table(text, name, table);
  expect_file(kDocument, text);
}

}  // namespace
}  // namespace warpfork::report
