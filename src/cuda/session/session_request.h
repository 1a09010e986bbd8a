// What `warpfork run` asks of the runtime library inside the program: a JSON file named by an environment variable.
#pragma once

#include <string>

#include "cuda/device_description.h"
#include "cuda/json.h"

namespace warpfork::cuda {

/// The environment variable that holds the path of the request.
inline constexpr const char* kSessionVariable = "WARPFORK_SESSION";

/// Written sample:
///   {"warpfork_request": 1, "result_file": "/tmp/w/result.jsonl", "device": {"name": …}, "simulation": {…}}
struct SessionRequest {
  std::string result_file;   // absolute path; see SessionWriter
  DeviceDescription device;  // what the program is told about the GPU
  Json simulation;           // for the maker of the LaunchSink; opaque to this room
};

/// Both throw Error with the path and the reason.
void save(const SessionRequest& request, const std::string& path);
SessionRequest load_request(const std::string& path);

}  // namespace warpfork::cuda
