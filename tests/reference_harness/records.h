// The harness's buffers in device memory: registers of every thread before and after, and the output words.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reference_harness/harness.h"
#include "simt/device_memory.h"

namespace warpfork::reference {

/// Offsets in a thread's record.
inline constexpr std::size_t kLongsOffset = 32, kHalvesOffset = 64, kPredicatesOffset = 72, kRecordBytes = 88;
inline constexpr std::size_t kOutBytes = 8192;

/// The threads' records, one after another, and what such bytes say.
std::vector<std::byte> bytes_of(const std::vector<ThreadRegisters>& threads);
std::vector<ThreadRegisters> threads_of(std::span<const std::byte> records);

class Records {
 public:
  Records(simt::DeviceMemory& memory, const std::vector<ThreadRegisters>& threads);
  /// The kernel's parameter buffer: the addresses of records and output.
  std::vector<std::byte> parameters() const;
  Outcome outcome() const;

 private:
  std::size_t count_;
  std::uint64_t records_address_, out_address_;
  std::byte* records_;
  std::byte* out_;
};

/// Zeroed words in device memory, and the parameter buffer that holds their address in `address_bytes` bytes.
class WordBuffer {
 public:
  WordBuffer(simt::DeviceMemory& memory, std::size_t count, std::size_t address_bytes);
  std::vector<std::byte> parameters() const;
  std::vector<std::uint32_t> words() const;

 private:
  std::size_t count_, address_bytes_;
  std::uint64_t address_;
  std::byte* bytes_;
};

}  // namespace warpfork::reference
