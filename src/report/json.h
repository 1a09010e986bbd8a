// The JSON values of results: members keep their order, so that equal results have equal bytes.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace warpfork::report {

using Json = nlohmann::ordered_json;

}  // namespace warpfork::report
