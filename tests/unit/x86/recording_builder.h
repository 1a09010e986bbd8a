// Recordings made token by token.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "x86/recording_format.h"
#include "x86/recording_packer.h"
#include "x86/symbol_table.h"

namespace warpfork::x86 {

using Bytes = std::vector<std::uint8_t>;

/// Of an access of 2^`size` bytes.
std::uint32_t access_token(std::uint32_t instruction, bool store, std::uint32_t size, std::int32_t delta);

class RecordingBuilder {
 public:
  /// Returns the block's token.
  std::uint32_t block(std::uint64_t pc, const std::vector<Bytes>& instructions);
  void function(const std::string& name, std::uint64_t address, std::uint64_t bytes) {
    symbols_.push_back({address, bytes, true, name});
  }
  void thread(std::uint32_t creator = 0) { threads_.push_back({creator, 0}); }
  /// The next frame of that thread.
  void frame(std::uint32_t thread, const std::vector<std::uint32_t>& tokens);
  /// Path of the recording.
  std::string write() const;

 private:
  Bytes code_, frames_;
  std::uint32_t blocks_ = 0;
  std::vector<RecorderEnd::Thread> threads_;
  std::vector<Symbol> symbols_;
};

}  // namespace warpfork::x86
