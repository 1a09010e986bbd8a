// The messages between a core and the memory side.
#pragma once

#include <cstdint>

namespace warpfork {

/// WriteBack is a dirty line that a core's cache evicts: it travels like a Store but nobody waits for an answer.
enum class AccessKind : std::uint8_t { Load, Store, Atomic, Instruction, Constant, Texture, WriteBack };

/// Whether the memory's contents are replaced without being read.
constexpr bool is_write(AccessKind kind) { return kind == AccessKind::Store || kind == AccessKind::WriteBack; }

/// A request on its way to memory, or the response to it on its way back (a Store's response is its acknowledgement).
/// It never crosses a 128-byte line.
struct MemoryRequest {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  AccessKind kind = AccessKind::Load;
  std::uint16_t core = 0;
  std::uint32_t token = 0;  // the sender's own mark, returned unchanged
};

}  // namespace warpfork
