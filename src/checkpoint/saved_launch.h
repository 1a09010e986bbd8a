// One launch of a program with all that it needs to run alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"
#include "simt/launch.h"

namespace warpfork::checkpoint {

/// A part of the device's memory.
struct MemoryRange {
  std::uint64_t address = 0, bytes = 0;
};

/// All of it but its code and what memory holds.
struct SavedLaunch {
  struct Allocation {
    MemoryRange range;
    std::string label;  // as in messages about nearby addresses
  };

  std::string program;       // file name of what made it, for people
  std::uint64_t number = 0;  // of the launch in it, from 1 on
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint64_t grid_id = 0;         // %gridid
  std::uint64_t grid_workspace = 0;  // of a cooperative launch
  std::uint32_t stack_bytes = 0;     // of a thread's recursive calls; 0 = the kernel makes none
  std::vector<std::byte> parameters;
  std::string module;         // name of the PTX, for messages
  simt::ModulePlaces places;  // of its code and variables
  std::vector<Allocation> allocations;
  std::vector<MemoryRange> copies;  // from the host since the program's start, in their order: they may lie in the L2
};

/// What is to be saved of `launch`, the program's launch `number`; `copies` as in SavedLaunch.
SavedLaunch saved_launch(const simt::Launch& launch, std::string program, std::uint64_t number,
                         std::vector<MemoryRange> copies);

}  // namespace warpfork::checkpoint
