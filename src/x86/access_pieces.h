// The recorded pieces of an instruction's accesses, put together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "x86/execution_reader.h"
#include "x86/instruction.h"

namespace warpfork::x86 {

/// Whether the piece is the whole access.
inline bool is_whole(const MemoryAccess& access, const RecordedAccess& piece) {
  return access.store == piece.store && access.bytes == piece.bytes;
}

/// The emulator splits accesses of more than 8 bytes, makes one of an atomic load and store, and leaves out what a mask
/// or a count of 0 leaves out. QEMU 10 executes a repetition's iterations as one. Appends to `addresses` one address
/// per access of the instruction, in its order, of all such iterations; 0 where the access was not made.
void append_addresses(const StaticInstruction& instruction, std::span<const RecordedAccess> pieces,
                      std::vector<std::uint64_t>& addresses);

}  // namespace warpfork::x86
