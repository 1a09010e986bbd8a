// MD5 as RFC 1321 describes it, of whole 32-bit words, little-endian: its tables, and the digest on the host.
#pragma once

#include <array>

#include "../common/check.h"

using Digest = std::array<unsigned, 4>;

constexpr unsigned kFirstDigest[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

// The whole part of 2^32 |sin(step + 1)|.
__host__ __device__ constexpr unsigned md5_sine(int step) {
  constexpr unsigned kSines[64] = {
      0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
      0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
      0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
      0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
      0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
      0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
      0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
      0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
  };
  return kSines[step];
}

__host__ __device__ constexpr int md5_shift(int step) {
  constexpr int kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  return kShifts[step / 16][step % 4];
}

// Which word of the block a step adds.
__host__ __device__ constexpr int md5_word(int step) {
  constexpr int kFactor[4] = {1, 5, 3, 7}, kFirst[4] = {0, 1, 5, 0};
  return (kFactor[step / 16] * step + kFirst[step / 16]) % 16;
}

inline unsigned md5_mix(int step, unsigned b, unsigned c, unsigned d) {
  if (step < 16) return (b & c) | (~b & d);
  if (step < 32) return (b & d) | (c & ~d);
  if (step < 48) return b ^ c ^ d;
  return c ^ (b | ~d);
}

inline void add_block(Digest& digest, const unsigned* block) {
  unsigned a = digest[0], b = digest[1], c = digest[2], d = digest[3];
  for (int step = 0; step < 64; ++step) {
    const unsigned sum = a + md5_mix(step, b, c, d) + block[md5_word(step)] + md5_sine(step);
    const int shift = md5_shift(step);
    a = d;
    d = c;
    c = b;
    b += sum << shift | sum >> (32 - shift);
  }
  digest[0] += a;
  digest[1] += b;
  digest[2] += c;
  digest[3] += d;
}

// The digest of a message, which is padded by a word 0x80, by zeros, and by its length in bits as two words.
inline Digest md5(std::vector<unsigned> words) {
  const unsigned long long bits = 32ull * words.size();
  words.push_back(0x80);
  while (words.size() % 16 != 14) words.push_back(0);
  words.push_back(static_cast<unsigned>(bits));
  words.push_back(static_cast<unsigned>(bits >> 32));
  Digest digest{kFirstDigest[0], kFirstDigest[1], kFirstDigest[2], kFirstDigest[3]};
  for (std::size_t first = 0; first < words.size(); first += 16) add_block(digest, words.data() + first);
  return digest;
}
