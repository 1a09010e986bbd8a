// The line that shows on a terminal how far a recording is read or run.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "ooo/replay.h"

namespace warpfork::cli {

/// On a terminal, after a second: "simt-x: 12 345 678 of 745 269 000 instructions".
class CpuProgress {
 public:
  CpuProgress(std::string core, std::uint64_t instructions) : core_(std::move(core)), instructions_(instructions) {}
  ~CpuProgress();
  CpuProgress(const CpuProgress&) = delete;
  CpuProgress& operator=(const CpuProgress&) = delete;

  void operator()(std::uint64_t instructions);

 private:
  std::string core_;
  std::uint64_t instructions_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Reads the recording; on a terminal it says how far it is.
ooo::Replay read_replay(const x86::Recording& recording);

}  // namespace warpfork::cli
