// Numbers and names as bytes, little-endian: the parts of a recording that are no frames.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace warpfork::x86 {

class ByteWriter {
 public:
  template <typename Number>
  void put(Number number) {
    static_assert(std::is_integral_v<Number>);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof number);
    std::memcpy(bytes_.data() + at, &number, sizeof number);
  }
  /// Its length in 4 bytes, then the text.
  void put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Reads what a ByteWriter wrote. Throws Error, which names `what`, where the bytes end too early.
class ByteReader {
 public:
  ByteReader(std::span<const std::uint8_t> bytes, std::string what) : rest_(bytes), what_(std::move(what)) {}

  template <typename Number>
  Number take() {
    Number number;
    std::memcpy(&number, take_bytes(sizeof number).data(), sizeof number);
    return number;
  }
  std::string take_text() {
    const auto text = take_bytes(take<std::uint32_t>());
    return {text.begin(), text.end()};
  }
  std::span<const std::uint8_t> take_bytes(std::size_t count) {
    if (count > rest_.size()) throw Error("{}: ends too early; it is damaged", what_);
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  std::span<const std::uint8_t> rest_;
  std::string what_;
};

}  // namespace warpfork::x86
