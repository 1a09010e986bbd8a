// The JSON values of this room: members keep their order, so that equal results have equal bytes.
#pragma once

#include <nlohmann/json.hpp>

namespace warpfork::cuda {

using Json = nlohmann::ordered_json;

}  // namespace warpfork::cuda
