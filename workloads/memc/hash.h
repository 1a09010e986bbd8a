// The hash of a key: Bob Jenkins's lookup3 (2006, public domain), which memcached uses. Read by words, half words or
// bytes, as the key's address allows, each with a switch over the rest of less than a block of 12 bytes.
#pragma once

#include <cstdint>

struct Hash {
  std::uint32_t a, b, c;
};

__host__ __device__ inline std::uint32_t rotated(std::uint32_t value, int bits) {
  return value << bits | value >> (32 - bits);
}

// x := (x - y) xor y rotated; then y += z.
__host__ __device__ inline void stir(std::uint32_t& x, std::uint32_t& y, std::uint32_t z, int bits) {
  x -= y;
  x ^= rotated(y, bits);
  y += z;
}

__host__ __device__ inline void mix(Hash& hash) {
  stir(hash.a, hash.c, hash.b, 4);
  stir(hash.b, hash.a, hash.c, 6);
  stir(hash.c, hash.b, hash.a, 8);
  stir(hash.a, hash.c, hash.b, 16);
  stir(hash.b, hash.a, hash.c, 19);
  stir(hash.c, hash.b, hash.a, 4);
}

// x := (x xor y) - y rotated.
__host__ __device__ inline void fold(std::uint32_t& x, std::uint32_t y, int bits) {
  x ^= y;
  x -= rotated(y, bits);
}

__host__ __device__ inline std::uint32_t finished(Hash hash) {
  fold(hash.c, hash.b, 14);
  fold(hash.a, hash.c, 11);
  fold(hash.b, hash.a, 25);
  fold(hash.c, hash.b, 16);
  fold(hash.a, hash.c, 4);
  fold(hash.b, hash.a, 14);
  fold(hash.c, hash.b, 24);
  return hash.c;
}

// May read up to three bytes behind the key.
__host__ __device__ inline std::uint32_t hash_words(Hash hash, const std::uint32_t* key, int length) {
  for (; length > 12; length -= 12, key += 3) {
    hash.a += key[0];
    hash.b += key[1];
    hash.c += key[2];
    mix(hash);
  }
  const std::uint32_t mask = 0xffffffffu >> (-length * 8 & 31);  // of the last word
  switch ((length + 3) / 4) {
    case 3:
      hash.c += key[2] & mask;
      hash.b += key[1];
      hash.a += key[0];
      break;
    case 2:
      hash.b += key[1] & mask;
      hash.a += key[0];
      break;
    case 1:
      hash.a += key[0] & mask;
      break;
    default:
      return hash.c;
  }
  return finished(hash);
}

__host__ __device__ inline std::uint32_t hash_halves(Hash hash, const std::uint16_t* key, int length) {
  for (; length > 12; length -= 12, key += 6) {
    hash.a += key[0] + (static_cast<std::uint32_t>(key[1]) << 16);
    hash.b += key[2] + (static_cast<std::uint32_t>(key[3]) << 16);
    hash.c += key[4] + (static_cast<std::uint32_t>(key[5]) << 16);
    mix(hash);
  }
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(key);
  if ((length & 1) != 0) {  // the odd byte at the end
    std::uint32_t& part = length > 8 ? hash.c : length > 4 ? hash.b : hash.a;
    part += static_cast<std::uint32_t>(bytes[length - 1]) << ((length - 1) % 4 * 8);
  }
  switch (length / 2) {
    case 6:
      hash.c += static_cast<std::uint32_t>(key[5]) << 16;
      [[fallthrough]];
    case 5:
      hash.c += key[4];
      [[fallthrough]];
    case 4:
      hash.b += static_cast<std::uint32_t>(key[3]) << 16;
      [[fallthrough]];
    case 3:
      hash.b += key[2];
      [[fallthrough]];
    case 2:
      hash.a += static_cast<std::uint32_t>(key[1]) << 16;
      [[fallthrough]];
    case 1:
      hash.a += key[0];
      break;
    default:
      if (length == 0) return hash.c;
  }
  return finished(hash);
}

__host__ __device__ inline std::uint32_t word_of(const std::uint8_t* bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

__host__ __device__ inline std::uint32_t hash_bytes(Hash hash, const std::uint8_t* key, int length) {
  for (; length > 12; length -= 12, key += 12) {
    hash.a += word_of(key);
    hash.b += word_of(key + 4);
    hash.c += word_of(key + 8);
    mix(hash);
  }
  switch (length) {
    case 12:
      hash.c += static_cast<std::uint32_t>(key[11]) << 24;
      [[fallthrough]];
    case 11:
      hash.c += static_cast<std::uint32_t>(key[10]) << 16;
      [[fallthrough]];
    case 10:
      hash.c += static_cast<std::uint32_t>(key[9]) << 8;
      [[fallthrough]];
    case 9:
      hash.c += key[8];
      [[fallthrough]];
    case 8:
      hash.b += static_cast<std::uint32_t>(key[7]) << 24;
      [[fallthrough]];
    case 7:
      hash.b += static_cast<std::uint32_t>(key[6]) << 16;
      [[fallthrough]];
    case 6:
      hash.b += static_cast<std::uint32_t>(key[5]) << 8;
      [[fallthrough]];
    case 5:
      hash.b += key[4];
      [[fallthrough]];
    case 4:
      hash.a += static_cast<std::uint32_t>(key[3]) << 24;
      [[fallthrough]];
    case 3:
      hash.a += static_cast<std::uint32_t>(key[2]) << 16;
      [[fallthrough]];
    case 2:
      hash.a += static_cast<std::uint32_t>(key[1]) << 8;
      [[fallthrough]];
    case 1:
      hash.a += key[0];
      break;
    default:
      return hash.c;
  }
  return finished(hash);
}

__forceinline__ __host__ __device__ std::uint32_t hash_of(const std::uint8_t* key, int length) {
  const std::uint32_t start = 0xdeadbeefu + static_cast<std::uint32_t>(length);
  const Hash hash{start, start, start};
  const auto address = reinterpret_cast<std::uintptr_t>(key);
  if ((address & 3) == 0)
    return hash_words(hash, reinterpret_cast<const std::uint32_t*>(key), length);
  else if ((address & 1) == 0)
    return hash_halves(hash, reinterpret_cast<const std::uint16_t*>(key), length);
  else
    return hash_bytes(hash, key, length);
}
