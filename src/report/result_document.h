// The result of a run as one JSON document; docs/result-schema.md explains every key.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpfork::report {

using Json = nlohmann::ordered_json;

/// Adds numbers, lists of numbers and objects of these, key by key; a null `sum` becomes `counts`.
void add_counts(Json& sum, const Json& counts);

/// Sums what is a sum over launches (docs/result-schema.md, "totals"), in the form of `totals` and with its rates
/// formed from the sums. Functional launches are left out.
Json sum_launches(const Json& launches);

struct Tool {
  std::string version, commit;
};

/// The whole document. `machine`, `program` and `launches` are in the form that the schema gives them.
Json result_document(const Tool& tool, Json machine, Json program, Json launches);

/// As it is written to a file: indented by two, lists of numbers on one line, a line end at the end.
std::string write_document(const Json& document);

}  // namespace warpfork::report
