// A large piece of the host's address space whose pages cost nothing until they are touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpfork::simt {

/// Zero-filled.
class ReservedBytes {
 public:
  /// At the host address `wanted` if that is free; 0 = anywhere. Throws Error if there is no room.
  explicit ReservedBytes(std::uint64_t bytes, std::uint64_t wanted = 0);
  ~ReservedBytes();
  ReservedBytes(const ReservedBytes&) = delete;
  ReservedBytes& operator=(const ReservedBytes&) = delete;

  /// Null where there are none.
  std::byte* begin() const { return begin_; }
  /// Makes [offset, offset + bytes) zero.
  void clear(std::uint64_t offset, std::uint64_t bytes);

 private:
  std::byte* begin_ = nullptr;
  std::uint64_t bytes_;
};

}  // namespace warpfork::simt
