// One thread's tokens as executed blocks with their accesses and marks.
#pragma once

#include <cstdint>
#include <vector>

#include "x86/frame_reader.h"
#include "x86/last_addresses.h"
#include "x86/recorded_code.h"
#include "x86/sync_event.h"

namespace warpfork::x86 {

/// A piece of at most 8 bytes (16 from one atomic access) that an instruction loads or stores.
struct RecordedAccess {
  std::uint16_t instruction = 0;  ///< number in its block
  bool store = false;             ///< an atomic one that loads as well counts as a store
  std::uint8_t bytes = 0;
  std::uint64_t address = 0;
};

struct ExecutedBlock {
  const RecordedBlock* block = nullptr;
  bool after_gap = false;                ///< what the thread did before was not recorded
  std::vector<SyncEvent> events;         ///< before the block
  std::vector<RecordedAccess> accesses;  ///< in the order in which they happened
};

class ExecutionReader {
 public:
  /// `slots` and blocks are those of `code`. Both must outlive this.
  ExecutionReader(const RecordingFile& file, const RecordedCode& code, std::uint32_t thread);

  /// False at the thread's end; `next.events` are then what happened last, and the rest is empty. Throws Error with the
  /// place if a frame is damaged or its tokens make no sense.
  bool read(ExecutedBlock& next);

 private:
  bool fill();
  std::uint32_t take();
  std::uint64_t take_64();
  void read_mark(ExecutedBlock& next);
  void read_access(ExecutedBlock& next, std::uint32_t token);
  [[noreturn]] void fail(const char* reason) const;

  FrameReader frames_;
  const RecordedCode& code_;
  LastAddresses last_;
  std::vector<std::uint32_t> tokens_;
  std::size_t at_ = 0;  // the next of them
};

}  // namespace warpfork::x86
