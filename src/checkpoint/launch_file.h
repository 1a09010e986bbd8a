// Writes and reads FILE.wfl.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "checkpoint/file_format.h"
#include "simt/device_memory.h"

namespace warpfork::checkpoint {

/// The file's bytes: the launch, the text of its PTX, and what its allocations hold in `memory`.
std::string file_of(const SavedLaunch& launch, const std::string& ptx, simt::DeviceMemory& memory);

/// A file, whose header and directory are checked when it is opened and everything else when it is read.
class LaunchFile {
 public:
  /// `bytes`: of the whole file. Throws Error with `name`, the offset and the remedy if it is not a whole saved launch
  /// of this version.
  LaunchFile(std::string bytes, std::string name);

  const SavedLaunch& launch() const { return directory_.launch; }
  std::string ptx() const { return section(directory_.ptx, "its PTX"); }
  /// Makes the launch's allocations, in a memory without any, with what they held.
  void restore(simt::DeviceMemory& memory) const;

 private:
  std::string section(const Section& entry, const std::string& part) const;
  void read(const Section& entry, const std::string& part, std::span<std::uint8_t> out) const;

  std::string bytes_, name_;
  Directory directory_;
};

}  // namespace warpfork::checkpoint
