// An x86-64 program, run to its end under the recorder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "x86/marked_functions.h"

namespace warpfork::process {

struct RecordOptions {
  std::string program;  // looked for as a shell does
  std::vector<std::string> arguments;
  std::string output;
  x86::RecorderRequest request;
  std::optional<std::uint32_t> threads;  // as many must have been recorded
};

struct RecordOutcome {
  int status = 0;  // the program's
  std::uint32_t threads = 0;
  std::uint64_t instructions = 0, file_bytes = 0;
};

/// Writes `output` only if the recording is whole. Throws Error with the reason and the remedy if the program cannot be
/// recorded, ended by a signal, or not as expected.
RecordOutcome record_program(const RecordOptions& options);

}  // namespace warpfork::process
