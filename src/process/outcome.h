// What a run left behind.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/json.h"
#include "report/launch_record.h"

namespace warpfork::process {

/// A buffer of a bare kernel after the run.
struct BufferImage {
  std::string name;
  std::vector<std::byte> bytes;
};

struct Outcome {
  report::Json program;  // in the form of the result document
  std::vector<report::LaunchRecord> launches;
  int status = 0;                       // of the program, or 1 where a buffer is not as expected
  std::vector<std::string> complaints;  // why status is not 0, and what was refused; for people
  std::vector<BufferImage> buffers;     // of a bare kernel
  std::string output;                   // standard output of a program, where it was captured, or of a bare kernel
  bool kernels_printed = false;         // in it are lines in the order in which the mechanism executed them
};

}  // namespace warpfork::process
