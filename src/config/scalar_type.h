// Values of PTX's fundamental types as launch files write them and as buffers hold them (PTX ISA, "Types").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warpfork::config {

/// A PTX type of a launch file: "u32", "f32", "b8" …
struct ScalarType {
  enum class Kind : std::uint8_t { Unsigned, Signed, Bits, Float };
  std::string_view name;
  Kind kind{};
  unsigned bytes = 0;
};

/// Null if there is none of that name.
const ScalarType* find_scalar_type(std::string_view name);
/// All of them, for messages.
std::vector<std::string> scalar_type_names();

/// A literal as a launch file writes it. A text is for what TOML's numbers cannot say: integers above 2^63 − 1
/// ("0xffffffffffffffff") and PTX's float literals by bit pattern ("0f3f800000", "0d3ff0000000000000").
using Literal = std::variant<std::int64_t, double, std::string>;

/// The value in little-endian bytes of the type; nullopt if the type cannot hold it. A real number is rounded to the
/// nearest of the type; b types take integers of either sign.
std::optional<std::vector<std::byte>> encode(const ScalarType& type, const Literal& literal);

/// One element of a buffer. Integers are kept apart, as 64 bits do not fit a double.
struct ScalarValue {
  std::uint64_t bits = 0;  // as stored, zero-extended
  double real = 0;         // the value; integers above 2^53 are rounded
  std::string text;        // "-3", "0.5", "0x00ff"
};

/// `element` holds type.bytes bytes.
ScalarValue decode(const ScalarType& type, std::span<const std::byte> element);

}  // namespace warpfork::config
