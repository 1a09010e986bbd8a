// The schemas of results say of every key of a machine what its visit() says. With WARPFORK_UPDATE_GOLDENS set they are
// rewritten (scripts/update_goldens.sh): what is then to be read is their diff.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <variant>

#include "config/field.h"
#include "gpu/machine_spec.h"
#include "ooo/machine_spec.h"
#include "report/result_document.h"
#include "unit/report/document_tables.h"

namespace warpfork::simulation {
namespace machine_schema_test {

using report::Json;

Json schema_of(bool) { return {{"type", "boolean"}}; }
Json schema_of(double) { return {{"type", "number"}}; }
Json schema_of(const std::string&) { return {{"type", "string"}}; }
Json schema_of(std::uint64_t) { return report::schema_of(std::uint64_t{}, {}); }
Json schema_of(std::uint32_t) { return report::schema_of(std::uint64_t{}, {}); }
template <class Item>
Json schema_of(const std::vector<Item>&) {
  return {{"type", "array"}, {"items", schema_of(Item())}};
}

/// None is required, so that a key that goes does not make another form of every result.
Json schema_of(const std::vector<config::Field>& fields) {
  Json properties = Json::object();
  for (const config::Field& field : fields) {
    Json& schema = properties[field.name] =
        field.target ? std::visit([](auto* value) { return schema_of(*value); }, *field.target)
                     : schema_of(field.members);
    schema["description"] = field.doc;
  }
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

template <class Spec>
void expect_machine_in(const char* file) {
  Spec spec;
  Json schema = Json::parse(std::ifstream(file));
  schema["$defs"]["machine"] = schema_of(config::fields_of(spec));
  report::expect_file(file, report::write_document(schema));
}

TEST(MachineSchemaGolden, of_a_gpu_is_that_of_what_visit_names) {
  expect_machine_in<gpu::MachineSpec>("docs/result.schema.json");
}

TEST(MachineSchemaGolden, of_a_cpu_core_is_that_of_what_visit_names) {
  expect_machine_in<ooo::MachineSpec>("docs/cpu-result.schema.json");
}

}  // namespace machine_schema_test
}  // namespace warpfork::simulation
