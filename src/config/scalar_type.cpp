#include "config/scalar_type.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace warpfork::config {

namespace {

using Kind = ScalarType::Kind;

constexpr std::array kTypes = {
    ScalarType{"u8", Kind::Unsigned, 1},  ScalarType{"u16", Kind::Unsigned, 2}, ScalarType{"u32", Kind::Unsigned, 4},
    ScalarType{"u64", Kind::Unsigned, 8}, ScalarType{"s8", Kind::Signed, 1},    ScalarType{"s16", Kind::Signed, 2},
    ScalarType{"s32", Kind::Signed, 4},   ScalarType{"s64", Kind::Signed, 8},   ScalarType{"b8", Kind::Bits, 1},
    ScalarType{"b16", Kind::Bits, 2},     ScalarType{"b32", Kind::Bits, 4},     ScalarType{"b64", Kind::Bits, 8},
    ScalarType{"f16", Kind::Float, 2},    ScalarType{"f32", Kind::Float, 4},    ScalarType{"f64", Kind::Float, 8},
};

/// IEEE 754 binary16, round to nearest even.
std::uint16_t to_half(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return sign | 0x7e00;
  if (value == 0) return sign;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520.0) return sign | 0x7c00;  // half way from the largest finite value to the next power of two
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int scale = std::max(exponent - 11, -24);  // weight of the last bit: 11 significant bits, or subnormal
  const auto digits = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -scale)));
  // The leading one of the digits and a carry of the rounding both come right by the addition; subnormals have none.
  const std::uint32_t biased = digits + (static_cast<std::uint32_t>(scale + 24) << 10);
  return static_cast<std::uint16_t>(sign | biased);
}

double from_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  double value = 0;
  if (exponent == 31)
    value = fraction ? std::nan("") : HUGE_VAL;
  else if (exponent == 0)
    value = std::ldexp(fraction, -24);
  else
    value = std::ldexp(fraction + 1024, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

std::uint64_t float_bits(unsigned bytes, double value) {
  if (bytes == 2) return to_half(value);
  if (bytes == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}

bool fits(const ScalarType& type, std::int64_t value) {
  if (type.bytes == 8) return type.kind != Kind::Unsigned || value >= 0;
  const unsigned bits = 8 * type.bytes;
  const std::int64_t lowest = type.kind == Kind::Unsigned ? 0 : -(std::int64_t{1} << (bits - 1));
  const std::int64_t highest = (std::int64_t{1} << (type.kind == Kind::Signed ? bits - 1 : bits)) - 1;
  return lowest <= value && value <= highest;
}

std::optional<std::uint64_t> parse_digits(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> bits_of_text(const ScalarType& type, std::string_view text) {
  const std::string_view prefix = text.substr(0, std::min<std::size_t>(2, text.size()));
  if (type.kind == Kind::Float) {
    const bool pattern = (prefix == "0f" && type.bytes == 4) || (prefix == "0d" && type.bytes == 8);
    if (!pattern || text.size() != 2 + 2 * type.bytes) return std::nullopt;
    return parse_digits(text.substr(2), 16);
  }
  const auto value = prefix == "0x" ? parse_digits(text.substr(2), 16) : parse_digits(text, 10);
  if (!value || (type.kind == Kind::Signed && *value >> (8 * type.bytes - 1)) != 0) return std::nullopt;
  if (type.bytes < 8 && *value >> (8 * type.bytes) != 0) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> bits_of(const ScalarType& type, const Literal& literal) {
  if (const auto* text = std::get_if<std::string>(&literal)) return bits_of_text(type, *text);
  if (const auto* integer = std::get_if<std::int64_t>(&literal)) {
    if (type.kind == Kind::Float) return float_bits(type.bytes, static_cast<double>(*integer));
    if (!fits(type, *integer)) return std::nullopt;
    return static_cast<std::uint64_t>(*integer);
  }
  if (type.kind != Kind::Float) return std::nullopt;
  return float_bits(type.bytes, std::get<double>(literal));
}

}  // namespace

const ScalarType* find_scalar_type(std::string_view name) {
  for (const ScalarType& type : kTypes)
    if (type.name == name) return &type;
  return nullptr;
}

std::vector<std::string> scalar_type_names() {
  std::vector<std::string> names;
  for (const ScalarType& type : kTypes) names.emplace_back(type.name);
  return names;
}

std::optional<std::vector<std::byte>> encode(const ScalarType& type, const Literal& literal) {
  const auto bits = bits_of(type, literal);
  if (!bits) return std::nullopt;
  std::vector<std::byte> bytes(type.bytes);
  for (unsigned i = 0; i < type.bytes; ++i) bytes[i] = static_cast<std::byte>(*bits >> (8 * i));
  return bytes;
}

ScalarValue decode(const ScalarType& type, std::span<const std::byte> element) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < type.bytes; ++i) bits |= static_cast<std::uint64_t>(element[i]) << (8 * i);
  const unsigned unused = 64 - 8 * type.bytes;
  const auto extended = static_cast<std::int64_t>(bits << unused) >> unused;
  switch (type.kind) {
    case Kind::Unsigned:
      return {bits, static_cast<double>(bits), fmt::format("{}", bits)};
    case Kind::Signed:
      return {bits, static_cast<double>(extended), fmt::format("{}", extended)};
    case Kind::Bits:
      return {bits, static_cast<double>(bits), fmt::format("0x{:0{}x}", bits, 2 * type.bytes)};
    case Kind::Float:
      break;
  }
  if (type.bytes == 4) {
    const auto real = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return {bits, real, fmt::format("{}", real)};
  }
  const double real = type.bytes == 2 ? from_half(static_cast<std::uint16_t>(bits)) : std::bit_cast<double>(bits);
  return {bits, real, fmt::format("{}", real)};
}

}  // namespace warpfork::config
