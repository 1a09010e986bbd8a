// A key-value store's GET over a batch of requests: MEMC of the multi-path paper's Table 1, memcached's get as the
// paper of Hetherington et al. (ISPASS 2012) moves it to a GPU. One thread a request: hash the key, walk the bucket's
// chain, compare keys, decide whether the item still holds, touch it. The network, the list of recently used items and
// the copying of values stay on the host.
//
// Keys of different lengths at different addresses make lanes take different sides of else-ifs and cases of switches;
// chains and comparisons end at different lengths.
#include "store.h"

namespace {

constexpr int kBlock = 256;

// By words where both addresses allow it, else by bytes.
__device__ inline bool equal(const std::uint8_t* left, const std::uint8_t* right, int length) {
  int i = 0;
  if (((reinterpret_cast<std::uintptr_t>(left) | reinterpret_cast<std::uintptr_t>(right)) & 3) == 0) {
    for (; i + 4 <= length; i += 4)
      if (*reinterpret_cast<const std::uint32_t*>(left + i) != *reinterpret_cast<const std::uint32_t*>(right + i))
        return false;
  }
  for (; i < length; ++i)
    if (left[i] != right[i]) return false;
  return true;
}

// The place of the item with this key, -1 if there is none.
__device__ inline int find(const std::uint8_t* arena, int place, const std::uint8_t* key, int length) {
  while (place >= 0) {
    const Item& item = *reinterpret_cast<const Item*>(arena + place);
    if (item.key_length == length && equal(arena + place + sizeof(Item), key, length)) break;
    place = item.next;
  }
  return place;
}

__device__ inline int get(std::uint8_t* arena, const int* buckets, std::uint32_t mask, const std::uint8_t* key,
                          int length) {
  const int place = find(arena, buckets[hash_of(key, length) & mask], key, length);
  if (place < 0) return kMiss;
  Item& item = *reinterpret_cast<Item*>(arena + place);
  if (item.time <= kFlushed) {
    return kStale;
  } else if (item.expires != 0 && item.expires <= kNow) {
    return kExpired;
  } else {
    atomicAdd(&item.references, 1);
    if (item.time < kNow - kUpdateInterval) item.touched = 1;
    return place;
  }
}

__global__ void get_batch(std::uint8_t* arena, const int* buckets, std::uint32_t mask, const std::uint8_t* text,
                          const Request* requests, int count, int* answers) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) answers[i] = get(arena, buckets, mask, text + requests[i].key, requests[i].key_length);
}

// Answers from the map of keys that the store keeps beside its table; touches the host's items.
std::vector<int> reference(Store& store, const Batch& batch) {
  std::vector<int> answers;
  for (const std::string& key : batch.keys) {
    const auto found = store.places.find(key);
    if (found == store.places.end()) {
      answers.push_back(kMiss);
      continue;
    }
    Item& item = store.item(found->second);
    const bool stale = item.time <= kFlushed, expired = item.expires != 0 && item.expires <= kNow;
    answers.push_back(stale ? kStale : expired ? kExpired : found->second);
    if (stale || expired) continue;
    ++item.references;
    if (item.time < kNow - kUpdateInterval) item.touched = 1;
  }
  return answers;
}

}  // namespace

int main(int argc, char** argv) {
  int requests = 8192, items = 12288, packet = 0;
  workload::Options("memc", "GET requests to a key-value store in a batch, answers and touched items checked exactly")
      .number("--requests", requests, 1, 4000000, "requests in the batch, one thread each")
      .number("--items", items, 1, 1000000, "items in the store; 1.5 a bucket at most, as in memcached")
      .number("--packet", packet, 0, 4096,
              "bytes of a packet that each request has to itself; 0: they follow each other")
      .parse(argc, argv);

  int bucket_count = 1;
  while (bucket_count * 3 / 2 < items) bucket_count *= 2;
  Store store = make_store(items, bucket_count);
  const Batch batch = make_batch(requests, items, packet);

  const workload::DeviceArray<std::uint8_t> arena(store.arena), text(batch.text);
  const workload::DeviceArray<int> buckets(store.buckets), answers(requests);
  const workload::DeviceArray<Request> device_requests(batch.requests);
  get_batch<<<(requests + kBlock - 1) / kBlock, kBlock>>>(arena.get(), buckets.get(), bucket_count - 1, text.get(),
                                                          device_requests.get(), requests, answers.get());
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  workload::expect_equal("answers", answers.download(), reference(store, batch));
  workload::expect_equal("items", arena.download(), store.arena);
  return workload::pass();
}
