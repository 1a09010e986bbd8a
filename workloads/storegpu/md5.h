// MD5 of whole 32-bit words, little-endian, as RFC 1321 describes it; on host and device.
#pragma once

#include "../common/check.h"

struct Digest {
  unsigned words[4];
  bool operator==(const Digest& other) const {
    return words[0] == other.words[0] && words[1] == other.words[1] && words[2] == other.words[2] &&
           words[3] == other.words[3];
  }
};

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

__host__ __device__ inline unsigned md5_mix(int step, unsigned b, unsigned c, unsigned d) {
  if (step < 16) return (b & c) | (~b & d);
  if (step < 32) return (b & d) | (c & ~d);
  if (step < 48) return b ^ c ^ d;
  return c ^ (b | ~d);
}

// Inlined, as the others below: a call would pass the block through local memory.
__host__ __device__ __forceinline__ void add_block(Digest& digest, const unsigned (&block)[16]) {
  unsigned a = digest.words[0], b = digest.words[1], c = digest.words[2], d = digest.words[3];
#pragma unroll
  for (int step = 0; step < 64; ++step) {
    const unsigned sum = a + md5_mix(step, b, c, d) + block[md5_word(step)] + md5_sine(step);
    const int shift = md5_shift(step);
    a = d;
    d = c;
    c = b;
    b += sum << shift | sum >> (32 - shift);
  }
  digest.words[0] += a;
  digest.words[1] += b;
  digest.words[2] += c;
  digest.words[3] += d;
}

// The message's words from `first` on, with what pads it: a word 0x80, zeros, two words of its length in bits.
__host__ __device__ __forceinline__ void load_block(const unsigned* words, int count, int first,
                                                    unsigned (&block)[16]) {
  if (first + 16 <= count) {
#pragma unroll
    for (int i = 0; i < 16; ++i) block[i] = words[first + i];
    return;
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int index = first + i;
    block[i] = index < count ? words[index] : index == count ? 0x80u : 0u;
  }
  if (first + 14 > count) block[14] = static_cast<unsigned>(count) * 32u;  // else the length needs one more block
}

// The digest of `count` words.
__host__ __device__ __forceinline__ Digest md5(const unsigned* words, int count) {
  Digest digest{{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u}};
  for (int first = 0; first < count + 3; first += 16) {
    unsigned block[16];
    load_block(words, count, first, block);
    add_block(digest, block);
  }
  return digest;
}
