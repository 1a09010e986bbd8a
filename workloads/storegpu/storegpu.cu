// Digests by which a store knows the chunks of a file: STO of the spatio-temporal SIMT paper's Table II, the direct
// hashing of StoreGPU (Al-Kiswany et al. 2008; its sources are among the benchmarks of GPGPU-Sim). A thread hashes a
// chunk of 1012 bytes by MD5: with its padding the chunk fills 16 of MD5's blocks.
//
// What the kernel costs is StoreGPU's: a thread reads its chunk word by word from global memory, 1012 bytes from its
// neighbour's, puts each block into its own stripe of shared memory, puts the bytes there in order one by one, and
// reads a word from there at each of the 64 steps, which compute with 64 bits. No thread needs another's words: there
// is no barrier. Only the last block diverges, which has fewer chunks than threads; what the last chunk lacks, its
// thread fills up with zeros.
#include <algorithm>

#include "md5.h"

namespace {

constexpr int kChunk = 1012;                       // bytes; MD5's padding, 12 bytes, makes it 16 blocks of 64 bytes
constexpr int kSmallFile = 2000;                   // bytes, two chunks
constexpr int kThreads = 64;                       // the most of a block
constexpr int kBlockWords = 16;                    // of MD5
constexpr int kStripes = 32;                       // threads whose words lie side by side, each thread's in a bank
constexpr int kSharedWords = 4 * 1024 - kStripes;  // StoreGPU's number, of which 64 threads use 1024

// A word of the block in a thread's stripe. It is volatile because clang would otherwise see that putting the bytes in
// order changes nothing, and keep the block in registers.
__device__ inline volatile unsigned& word(volatile unsigned* stripe, int index) { return stripe[kStripes * index]; }

// Makes a number of four bytes, the least significant first.
__device__ inline void decode(volatile unsigned& word) {
  const volatile unsigned char* const bytes = reinterpret_cast<const volatile unsigned char*>(&word);
  std::uint64_t number = bytes[0];
  number |= std::uint64_t{bytes[1]} << 8;
  number |= std::uint64_t{bytes[2]} << 16;
  number |= std::uint64_t{bytes[3]} << 24;
  word = static_cast<unsigned>(number);
}

__device__ inline void encode(unsigned number, unsigned char* bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<unsigned char>(number >> 8 * i);
}

__device__ inline std::uint64_t mix(int step, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  if (step < 16) return d ^ (b & (c ^ d));
  if (step < 32) return c ^ (d & (b ^ c));
  if (step < 48) return b ^ c ^ d;
  return c ^ (b | ~d);
}

// The bits beyond the 32nd are no part of the number, here as in StoreGPU's `unsigned long`; they are never cleared.
__device__ inline std::uint64_t rotate(std::uint64_t number, int bits) {
  return number << bits | (number & 0xffffffff) >> (32 - bits);
}

__device__ inline void add_block(unsigned (&digest)[4], volatile unsigned* stripe) {
  std::uint64_t a = digest[0], b = digest[1], c = digest[2], d = digest[3];
#pragma unroll
  for (int step = 0; step < 64; ++step) {
    const std::uint64_t sum = a + mix(step, b, c, d) + word(stripe, md5_word(step)) + md5_sine(step);
    a = d;
    d = c;
    c = b;
    b += rotate(sum, md5_shift(step));
  }
  digest[0] += static_cast<unsigned>(a);
  digest[1] += static_cast<unsigned>(b);
  digest[2] += static_cast<unsigned>(c);
  digest[3] += static_cast<unsigned>(d);
}

// Loads a block; the last one of a chunk ends in MD5's padding.
__device__ inline void load_block(volatile unsigned* stripe, const unsigned* words, bool last, int bytes) {
#pragma unroll
  for (int i = 0; i < 13; ++i) word(stripe, i) = words[i];
  if (last) {
    word(stripe, 13) = 0x80;
    word(stripe, 14) = bytes << 3;
    word(stripe, 15) = bytes >> 29;
  } else {
    for (int i = 13; i < kBlockWords; ++i) word(stripe, i) = words[i];
  }
#pragma unroll
  for (int i = 0; i < kBlockWords; ++i) decode(word(stripe, i));
}

// Of each of `count` chunks of `size` bytes the first four bytes of its digest; the last chunk lacks `missing` bytes.
__global__ void hash_pieces(unsigned char* file, int size, int count, int missing, unsigned char* digests) {
  __shared__ unsigned words[kSharedWords];
  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self >= count) return;
  unsigned char* const chunk = file + self * size;
  if (self == count - 1)
    for (int i = size - missing; i < size; ++i) chunk[i] = 0;

  volatile unsigned* const stripe = words + threadIdx.x / kStripes * kStripes * kBlockWords + threadIdx.x % kStripes;
  const unsigned* const input = reinterpret_cast<const unsigned*>(chunk);
  unsigned digest[4] = {kFirstDigest[0], kFirstDigest[1], kFirstDigest[2], kFirstDigest[3]};
  const int blocks = size / 64 + 1;
  for (int block = 0; block < blocks; ++block) {
    load_block(stripe, input + kBlockWords * block, block == blocks - 1, size);
    add_block(digest, stripe);
  }
  encode(digest[0], digests + self * 4);
}

// The words of the file chunk by chunk, where the last chunk is filled up with `filling`.
std::vector<unsigned> whole_chunks(std::vector<unsigned> file, unsigned filling) {
  constexpr std::size_t kWords = kChunk / 4;
  file.resize((file.size() + kWords - 1) / kWords * kWords, filling);
  return file;
}

// The digests' first words. The device finds anything but zeros behind the file's end.
std::vector<unsigned> device_digests(const std::vector<unsigned>& file) {
  const std::vector<unsigned> padded = whole_chunks(file, ~0u);
  const int count = static_cast<int>(4 * padded.size() / kChunk);
  const int missing = static_cast<int>(4 * (padded.size() - file.size()));
  const workload::DeviceArray<unsigned> words(padded), digests(count);
  const int threads = std::min(count, kThreads);
  hash_pieces<<<(count + threads - 1) / threads, threads>>>(reinterpret_cast<unsigned char*>(words.get()), kChunk,
                                                            count, missing,
                                                            reinterpret_cast<unsigned char*>(digests.get()));
  CUDA_CHECK(cudaGetLastError());
  return digests.download();
}

std::vector<unsigned> host_digests(const std::vector<unsigned>& file) {
  const std::vector<unsigned> padded = whole_chunks(file, 0);
  std::vector<unsigned> digests;
  for (auto chunk = padded.begin(); chunk != padded.end(); chunk += kChunk / 4)
    digests.push_back(md5({chunk, chunk + kChunk / 4})[0]);
  return digests;
}

// RFC 1321, appendix A.5: the last of its test suite, the only one of whole words but for the empty one.
void check_md5() {
  std::vector<unsigned> digits;
  for (int i = 0; i < 80; i += 4) {
    unsigned word = 0;
    for (int byte = 3; byte >= 0; --byte) word = word << 8 | static_cast<unsigned>('0' + (i + byte + 1) % 10);
    digits.push_back(word);
  }
  if (md5(digits) != Digest{0xa2f4ed57u, 0x55c9e32bu, 0x2eda49acu, 0x7ab60721u})
    workload::fail("MD5 on the host is not that of RFC 1321");
}

std::vector<unsigned> make_file(int bytes) {
  workload::Random random(19);
  std::vector<unsigned> file;
  for (int i = 0; i < bytes; i += 4) file.push_back(random.below(~0u));
  return file;
}

// A file's digest is that of its chunks' digests.
void hash_file(int bytes) {
  const std::vector<unsigned> file = make_file(bytes);
  const std::vector<unsigned> digests = device_digests(file);
  workload::expect_equal("digests", digests, host_digests(file));
  const Digest digest = md5(digests);
  std::printf("%d bytes in %zu chunks: %08x%08x%08x%08x\n", bytes, digests.size(), digest[0], digest[1], digest[2],
              digest[3]);
}

}  // namespace

int main(int argc, char** argv) {
  int kibibytes = 1024;
  int smallest = 0;
  workload::Options("storegpu", "digests of the chunks of a file and of a small one, checked exactly")
      .number("--size", kibibytes, 1, 65536, "length of the file in KiB")
      .number("--smallest", smallest, 0, 65536, "first hash files of so many KiB, twice as many and so on; 0: none")
      .parse(argc, argv);

  check_md5();
  for (int size = smallest; 0 < size && size < kibibytes; size *= 2) hash_file(1024 * size);
  hash_file(1024 * kibibytes);
  hash_file(kSmallFile);
  return workload::pass();
}
