// The key-value store and a batch of requests, made on the host: items in one arena, chained from the buckets of a hash
// table, and the text of the requests as it came over the network, key after key at any address.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>

#include "../common/check.h"
#include "hash.h"

constexpr unsigned kNow = 100000;         // seconds since the server started
constexpr unsigned kFlushed = 20000;      // when all items were declared invalid
constexpr unsigned kUpdateInterval = 60;  // seconds for which an item keeps its place among the recently used

// An item lies in the arena at a multiple of 8: this header, the key, the value.
struct Item {
  int next;                // in the chain, -1 at its end
  unsigned time, expires;  // last moved among the recently used; 0: never expires
  int references;
  int touched;  // whether the host has to move it
  int key_length, value_length;
};

struct Request {
  int key, key_length;  // place in the requests' text
};

// Answers: the place of the item, or why there is none.
enum Answer { kMiss = -1, kStale = -2, kExpired = -3 };

struct Store {
  std::vector<std::uint8_t> arena;
  std::vector<int> buckets;  // 2^n
  std::unordered_map<std::string, int> places;

  Item& item(int place) { return *reinterpret_cast<Item*>(arena.data() + place); }
};

struct Batch {
  std::vector<std::uint8_t> text;
  std::vector<Request> requests;
  std::vector<std::string> keys;
};

// The n-th key: one of four kinds, of 6 to 42 bytes (more if n is large).
inline std::string make_key(unsigned n) {
  char key[64];
  const unsigned mixed = n * 2654435761u;
  switch (mixed >> 30) {
    case 0:
      std::snprintf(key, sizeof key, "user:%u", n);
      break;
    case 1:
      std::snprintf(key, sizeof key, "session:%08x%08x", mixed, n);
      break;
    case 2:
      std::snprintf(key, sizeof key, "wiki/en/rendered/%u/revision/%u", n, mixed);
      break;
    default:
      std::snprintf(key, sizeof key, "image:%u:thumbnail:%ux%u:v%u", n, mixed % 2000, mixed % 1500, mixed % 9);
  }
  return key;
}

inline Store make_store(int items, int buckets) {
  workload::Random random(11);
  Store store;
  store.buckets.assign(buckets, -1);
  for (int i = 0; i < items; ++i) {
    const std::string key = make_key(i);
    const int length = static_cast<int>(key.size()), value_length = static_cast<int>(16 + random.below(240));
    const int place = static_cast<int>(store.arena.size());
    store.arena.resize((place + sizeof(Item) + length + value_length + 7) / 8 * 8);
    int& bucket = store.buckets[hash_of(reinterpret_cast<const std::uint8_t*>(key.data()), length) & (buckets - 1)];
    const unsigned expires = random.below(4) == 0 ? kNow - 5000 + random.below(50000) : 0;
    store.item(place) = {bucket, 10000 + random.below(90000), expires, 0, 0, length, value_length};
    std::copy(key.begin(), key.end(), store.arena.begin() + place + sizeof(Item));
    bucket = place;
    store.places[key] = place;
  }
  return store;
}

// Requests for keys after Zipf's law, a fifth of whose kinds the store does not hold. They follow each other in one
// text, as on a connection, or each begins a packet of `packet` bytes of its own.
inline Batch make_batch(int requests, int items, int packet) {
  const int kinds = items + items / 4;
  std::vector<double> share(kinds);
  double sum = 0;
  for (int i = 0; i < kinds; ++i) share[i] = sum += std::pow(i + 1.0, -0.99);
  workload::Random random(12);
  Batch batch;
  for (int i = 0; i < requests; ++i) {
    const double place = random.unit() * sum;
    const long rank = std::min<long>(std::lower_bound(share.begin(), share.end(), place) - share.begin(), kinds - 1);
    const std::string key = make_key(static_cast<unsigned>(rank * 7919 % kinds));
    std::string line = "get " + key + "\r\n";
    line.resize(std::max<std::size_t>(line.size(), packet));
    batch.requests.push_back({static_cast<int>(batch.text.size()) + 4, static_cast<int>(key.size())});
    batch.text.insert(batch.text.end(), line.begin(), line.end());
    batch.keys.push_back(key);
  }
  batch.text.resize(batch.text.size() + 8);  // what is read by words may be read beyond its end
  return batch;
}
