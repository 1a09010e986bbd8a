#include "config/scalar_type.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpfork::config {
namespace scalar_type_test {

std::uint64_t bits(const char* type, const Literal& literal) {
  const auto bytes = encode(*find_scalar_type(type), literal);
  if (!bytes) throw std::out_of_range("refused");
  std::uint64_t value = 0;
  for (std::size_t i = bytes->size(); i-- > 0;) value = value << 8 | static_cast<std::uint64_t>((*bytes)[i]);
  return value;
}

bool refused(const char* type, const Literal& literal) { return !encode(*find_scalar_type(type), literal); }

double half(std::uint16_t bits) {
  const std::byte bytes[] = {static_cast<std::byte>(bits), static_cast<std::byte>(bits >> 8)};
  return decode(*find_scalar_type("f16"), bytes).real;
}

TEST(ScalarType, integers_are_little_endian_twos_complement) {
  EXPECT_EQ(bits("u32", std::int64_t{0x01020304}), 0x01020304u);
  EXPECT_EQ(bits("s16", std::int64_t{-2}), 0xfffeu);
  EXPECT_EQ(bits("b8", std::int64_t{-1}), 0xffu);
  EXPECT_EQ(bits("u64", std::string("0xffffffffffffffff")), ~std::uint64_t{0});
}

TEST(ScalarType, integers_are_held_to_their_range) {
  EXPECT_EQ(bits("u8", std::int64_t{255}), 255u);
  EXPECT_TRUE(refused("u8", std::int64_t{256}));
  EXPECT_TRUE(refused("u32", std::int64_t{-1}));
  EXPECT_EQ(bits("s8", std::int64_t{-128}), 0x80u);
  EXPECT_TRUE(refused("s8", std::int64_t{-129}));
  EXPECT_TRUE(refused("s8", std::int64_t{128}));
  EXPECT_TRUE(refused("s64", std::string("0x8000000000000000")));
  EXPECT_TRUE(refused("u32", 1.5));
}

// Bit patterns from IEEE 754-2008, table 3.5.
TEST(ScalarType, floats_are_rounded_to_the_nearest) {
  EXPECT_EQ(bits("f32", 1.0), 0x3f800000u);
  EXPECT_EQ(bits("f32", std::int64_t{-2}), 0xc0000000u);
  EXPECT_EQ(bits("f32", 0.1), 0x3dcccccdu);
  EXPECT_EQ(bits("f64", 1.0), 0x3ff0000000000000u);
  EXPECT_EQ(bits("f32", std::string("0f7fc00001")), 0x7fc00001u);
  EXPECT_TRUE(refused("f32", std::string("0d3ff0000000000000")));
  EXPECT_TRUE(refused("f32", std::string("0f3f80")));
}

TEST(ScalarType, half_precision_rounds_to_even_and_overflows_to_infinity) {
  EXPECT_EQ(bits("f16", 1.0), 0x3c00u);
  EXPECT_EQ(bits("f16", 65504.0), 0x7bffu);
  EXPECT_EQ(bits("f16", 65519.0), 0x7bffu);
  EXPECT_EQ(bits("f16", 65520.0), 0x7c00u);
  EXPECT_EQ(bits("f16", 1.0 + 1.0 / 2048), 0x3c00u);  // half way: to even
  EXPECT_EQ(bits("f16", 1.0 + 3.0 / 2048), 0x3c02u);
  EXPECT_EQ(bits("f16", std::ldexp(1.0, -24)), 0x0001u);
  EXPECT_EQ(bits("f16", std::ldexp(1.0, -25)), 0x0000u);
  EXPECT_EQ(bits("f16", -std::ldexp(1.0, -14)), 0x8400u);
  EXPECT_EQ(bits("f16", std::nan("")), 0x7e00u);
}

TEST(ScalarType, every_half_survives_the_way_to_a_double_and_back) {
  for (std::uint32_t pattern = 0; pattern < 0x7c01; ++pattern)
    ASSERT_EQ(bits("f16", half(static_cast<std::uint16_t>(pattern))), pattern);
}

}  // namespace scalar_type_test
}  // namespace warpfork::config
