// Finds what a launch reads and nobody has written (docs/checks.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "simt/device_memory.h"
#include "simt/launch.h"
#include "simt/program.h"
#include "simt/used_bytes.h"

namespace warpfork::simt {

/// The same instruction's reads of one memory are one of these.
struct UninitialisedRead {
  MemorySpace space = MemorySpace::None;  // Global, Shared or Local
  bool is_atomic = false;
  std::uint64_t count = 0;  // accesses of threads
  // Of the first one, at its first byte that was not written: a device address, or a place in shared or local memory.
  std::uint64_t address = 0;
  Pc pc = 0;
  Dim3 block, thread;
};

/// Sees each access of one launch to device memory that is watched (DeviceMemory::watch), to shared and to local
/// memory. An atomic reads, but for an exchange. Of a vector those elements are read that the program uses. Loads and
/// stores that the register allocation has put into the code are not the program's.
class MemoryCheck {
 public:
  explicit MemoryCheck(const Launch& launch);

  /// The lanes of this row of a warp are about to do the memory instruction.
  void look_at(const Instruction& instruction, const WarpContext& warp, RowLanes lanes);

  const std::vector<UninitialisedRead>& found() const { return found_; }
  /// For the message of a failure; empty if nothing was found.
  ///
  /// Printed sample:
  ///   bytes that nobody had written were read before: global at sum.cu:7, shared at PTX line 44
  std::string describe() const;

 private:
  enum class Effect : std::uint8_t { None, Read, Write, ReadAndWrite };
  struct Place {
    MemorySpace space;
    std::uint64_t address;
    std::byte* written;  // its map; null if it is out of bounds, or nobody watches
  };

  static Effect effect_of(const Instruction& instruction, const ptx::Instruction& source);
  Place place_of(const Instruction& instruction, const WarpContext& warp, unsigned lane);
  std::uint64_t first_gap(Pc pc, const std::byte* written) const;
  std::byte* written_device(std::uint64_t address, std::uint64_t bytes);
  void add(const Instruction& instruction, const WarpContext& warp, unsigned lane, const Place& first);

  const Program& program_;
  DeviceMemory* memory_;
  std::vector<Effect> effects_;  // by pc
  UsedBytes used_;
  DeviceMemory::Range hit_;  // the allocation touched last
  std::map<std::pair<Pc, MemorySpace>, std::size_t> known_;
  std::vector<UninitialisedRead> found_;
};

}  // namespace warpfork::simt
