// The parent's side of a session's result.
#pragma once

#include <string>
#include <vector>

#include "report/launch_record.h"

namespace warpfork::cuda {

struct SessionResult {
  bool used = false;      // the program called the CUDA runtime at all
  bool complete = false;  // it ended by itself and everything it launched is here
  bool torn = false;      // not all could be written, which the program's runtime library has told
  bool printed = false;   // kernels printed among its output
  std::vector<report::LaunchRecord> launches;
  std::vector<std::string> errors;             // already printed by the program's runtime library
  std::vector<std::string> refusals;           // the same of what a program may go on without
  std::string short_of_memory;                 // the last allocation for which there was no room; not printed
  std::vector<std::string> unsupported_calls;  // names, each once
};

/// The name that a SessionWriter gives the file to which it can write no more.
std::string torn_name(const std::string& path);

/// Reads what a SessionWriter wrote, also if it was cut off anywhere; no file is a program that never used the runtime.
/// A program that runs several CUDA processes one after the other has their launches one after the other. Throws Error
/// if the file holds anything else.
SessionResult read_session(const std::string& path);

}  // namespace warpfork::cuda
