// A launch sink that saves one of a program's launches to a file before it runs (--save-launch).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cuda/json.h"
#include "cuda/launch_sink.h"

namespace warpfork::cuda {

/// Which launch is to be saved, and where.
struct SaveRequest {
  std::uint64_t launch = 0;  // number of the process's launch, from 1 on; 0 = none
  std::string file;          // absolute path
  std::string program;       // its file's name, without a folder
};

Json to_json(const SaveRequest& request);
SaveRequest save_request_from(const Json& json);

/// Does everything as `sink` does, and writes the launch when it comes. run() throws Error if the file cannot be
/// written.
std::unique_ptr<LaunchSink> make_saving_sink(std::unique_ptr<LaunchSink> sink, const SaveRequest& request);

}  // namespace warpfork::cuda
