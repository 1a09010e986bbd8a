// AES-128 on the host, byte by byte as FIPS 197 (2001) defines it. Sections are its.
#pragma once

#include <utility>
#include <vector>

namespace aes {

constexpr int kRounds = 10;  // with a key of 16 bytes (section 5)

// Multiplication by x in the field of 256 elements (section 4.2.1).
inline unsigned char doubled(unsigned char value) {
  return static_cast<unsigned char>(value << 1 ^ (value & 0x80 ? 0x1b : 0));
}

inline unsigned char product(unsigned char a, unsigned char b) {
  unsigned char sum = 0;
  for (; b != 0; b >>= 1, a = doubled(a))
    if (b & 1) sum ^= a;
  return sum;
}

// The S-box: the inverse, which is the 254th power, and an affine map (section 5.1.1).
inline unsigned char computed_substitute(unsigned char value) {
  unsigned char inverse = 1;
  for (int bit = 7; bit >= 0; --bit) {
    inverse = product(inverse, inverse);
    if (254 >> bit & 1) inverse = product(inverse, value);
  }
  unsigned char result = 0x63;
  for (int turn = 0; turn < 5; ++turn) result ^= static_cast<unsigned char>(inverse << turn | inverse >> (8 - turn));
  return result;
}

inline unsigned char substitute(unsigned char value) {
  static const std::vector<unsigned char> box = [] {
    std::vector<unsigned char> all;
    for (int i = 0; i < 256; ++i) all.push_back(computed_substitute(static_cast<unsigned char>(i)));
    return all;
  }();
  return box[value];
}

// The round keys, 16 bytes each, of a key of 16 bytes (section 5.2).
inline std::vector<unsigned char> expand_key(std::vector<unsigned char> key) {
  unsigned char round_constant = 1;
  for (int word = 4; word < 4 * (kRounds + 1); ++word) {
    unsigned char last[4];
    for (int i = 0; i < 4; ++i) last[i] = key[4 * (word - 1) + (word % 4 == 0 ? (i + 1) % 4 : i)];
    if (word % 4 == 0) {
      for (unsigned char& byte : last) byte = substitute(byte);
      last[0] ^= round_constant;
      round_constant = doubled(round_constant);
    }
    for (int i = 0; i < 4; ++i) key.push_back(static_cast<unsigned char>(key[4 * (word - 4) + i] ^ last[i]));
  }
  return key;
}

// Encrypts a block in its place (section 5.1). Byte 4 c + r is row r of column c.
inline void encrypt(unsigned char* state, const std::vector<unsigned char>& round_keys) {
  for (int i = 0; i < 16; ++i) state[i] ^= round_keys[i];
  for (int round = 1; round <= kRounds; ++round) {
    unsigned char shifted[16];
    for (int i = 0; i < 16; ++i) shifted[i] = substitute(state[(i + 4 * (i % 4)) % 16]);
    for (int i = 0; i < 16; ++i) {
      const unsigned char* const column = shifted + i / 4 * 4;
      const unsigned char mixed = static_cast<unsigned char>(
          product(column[i % 4], 2) ^ product(column[(i + 1) % 4], 3) ^ column[(i + 2) % 4] ^ column[(i + 3) % 4]);
      state[i] = (round < kRounds ? mixed : shifted[i]) ^ round_keys[16 * round + i];
    }
  }
}

}  // namespace aes
