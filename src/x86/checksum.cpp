#include "x86/checksum.h"

#include <array>

namespace warpfork::x86 {

namespace {

constexpr std::uint64_t kPolynomial = 0xc96c5795d7870f42;  // of ECMA-182, lowest bit first

constexpr std::array<std::uint64_t, 256> kTable = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t byte = 0; byte < table.size(); ++byte) {
    std::uint64_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? kPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}();

}  // namespace

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t sum = ~std::uint64_t{0};
  for (const std::uint8_t byte : bytes) sum = kTable[(sum ^ byte) & 0xff] ^ sum >> 8;
  return ~sum;
}

}  // namespace warpfork::x86
