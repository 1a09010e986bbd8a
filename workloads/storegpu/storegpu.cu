// Digests with which a store finds what it already has: STO of the spatio-temporal SIMT paper's Table II, StoreGPU
// (Al-Kiswany et al. 2008) with its two uses of hashing. Sliding windows: the digest of every window of the file says
// where a chunk ends, so that the same contents are cut alike wherever they lie. Direct hashing: a chunk's digest is
// that of its segments' digests, a thread hashing each.
//
// A block's threads first copy what they hash into shared memory together. Chunks differ in length: their blocks have
// threads without a segment, and the last segment is short.
#include <algorithm>
#include <array>
#include <set>

#include "../common/check.h"
#include "md5.h"

namespace {

constexpr int kMaximumBlocks = 260, kMaximumThreads = 64;
constexpr int kWindow = 12, kSegment = 64;  // in words of four bytes; a window fits into one block of MD5
constexpr int kShortestChunk = 2 * kSegment, kLongestChunk = kMaximumThreads * kSegment;
constexpr unsigned kBoundaryRate = 512;  // one window in so many ends a chunk

// What a block hashes: pieces that begin `stride` words apart, the first at word `begin`; none reaches beyond `end`.
struct Span {
  int begin, end, pieces;
};

// The digests of pieces of `size` words, a thread each: of block b they begin at digests[b * blockDim.x]. A stride of
// kSegment is made odd in shared memory, so that threads that go through segments at one pace use different banks.
__global__ void hash_pieces(const unsigned* words, const Span* spans, int size, int stride, Digest* digests) {
  __shared__ unsigned staged[kLongestChunk + kMaximumThreads];
  const Span span = spans[blockIdx.x];
  const int length = span.end - span.begin, padding = stride == kSegment;
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int i = thread; i < length; i += threads) staged[i + i / kSegment * padding] = words[span.begin + i];
  __syncthreads();
  if (thread < span.pieces)
    digests[blockIdx.x * blockDim.x + threadIdx.x] =
        md5(staged + thread * (stride + padding), min(size, length - thread * stride));
}

// Launches of at most 260 blocks; calls use(span, digests of its pieces) for each span in order.
template <class Use>
void hash_spans(const unsigned* words, const std::vector<Span>& spans, int size, int stride, Use use) {
  for (std::size_t done = 0; done < spans.size(); done += kMaximumBlocks) {
    const std::size_t blocks = std::min<std::size_t>(kMaximumBlocks, spans.size() - done);
    const std::vector<Span> now(spans.begin() + done, spans.begin() + done + blocks);
    int threads = 2;
    for (const Span& span : now) threads = std::max(threads, span.pieces);
    const workload::DeviceArray<Span> device_spans(now);
    const workload::DeviceArray<Digest> device_digests(blocks * threads);
    hash_pieces<<<static_cast<unsigned>(blocks), threads>>>(words, device_spans.get(), size, stride,
                                                            device_digests.get());
    CUDA_CHECK(cudaGetLastError());
    const std::vector<Digest> digests = device_digests.download();
    for (std::size_t i = 0; i < blocks; ++i) use(now[i], digests.data() + i * threads);
  }
}

// The digest of every window that begins at a word of the file; those at its end are shorter.
std::vector<Digest> window_digests(const unsigned* words, int count) {
  std::vector<Span> spans;
  for (int begin = 0; begin < count; begin += kMaximumThreads)
    spans.push_back(
        {begin, std::min(count, begin + kMaximumThreads - 1 + kWindow), std::min(kMaximumThreads, count - begin)});
  std::vector<Digest> digests;
  hash_spans(words, spans, kWindow, 1,
             [&](const Span& span, const Digest* found) { digests.insert(digests.end(), found, found + span.pieces); });
  return digests;
}

// The chunks: each ends behind the first window that says so, unless it would be too short or too long.
std::vector<Span> chunks(const std::vector<Digest>& windows) {
  const int count = static_cast<int>(windows.size());
  std::vector<Span> result;
  for (int begin = 0, end = 1; end <= count; ++end) {
    const int length = end - begin;
    const bool boundary = end >= kWindow && windows[end - kWindow].words[0] % kBoundaryRate == 0;
    if (!(boundary && length >= kShortestChunk) && length < kLongestChunk && end < count) continue;
    result.push_back({begin, end, (length + kSegment - 1) / kSegment});
    begin = end;
  }
  return result;
}

// The digests of all segments, chunk by chunk.
std::vector<Digest> segment_digests(const unsigned* words, const std::vector<Span>& spans) {
  std::vector<Digest> digests;
  hash_spans(words, spans, kSegment, kSegment,
             [&](const Span& span, const Digest* found) { digests.insert(digests.end(), found, found + span.pieces); });
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
  if (!(md5(digits.data(), 20) == Digest{{0xa2f4ed57u, 0x55c9e32bu, 0x2eda49acu, 0x7ab60721u}}))
    workload::fail("MD5 on the host is not that of RFC 1321");
}

void expect_digest(const char* what, std::size_t number, const Digest& got, const Digest& expected) {
  if (!(got == expected))
    workload::fail("%s %zu: the digest begins with %08x, expected %08x", what, number, got.words[0], expected.words[0]);
}

void check_windows(const std::vector<Digest>& windows, const std::vector<unsigned>& file) {
  const int count = static_cast<int>(file.size());
  for (int i = 0; i < count; ++i)
    expect_digest("window", i, windows[i], md5(file.data() + i, std::min(kWindow, count - i)));
}

void check_segments(const std::vector<Digest>& segments, const std::vector<Span>& spans,
                    const std::vector<unsigned>& file) {
  std::size_t number = 0;
  for (const Span& span : spans)
    for (int begin = span.begin; begin < span.end; begin += kSegment, ++number)
      expect_digest("segment", number, segments[number],
                    md5(file.data() + begin, std::min(kSegment, span.end - begin)));
}

// Bytes of chunks whose contents an earlier chunk has.
int repeated_bytes(const std::vector<Digest>& segments, const std::vector<Span>& spans) {
  std::set<std::array<unsigned, 4>> stored;
  const Digest* next = segments.data();
  int words = 0;
  for (const Span& span : spans) {
    const Digest digest = md5(next->words, 4 * span.pieces);
    next += span.pieces;
    if (!stored.insert({digest.words[0], digest.words[1], digest.words[2], digest.words[3]}).second)
      words += span.end - span.begin;
  }
  return 4 * words;
}

// Random words; two fifths of the file are there twice, at a distance that no chunk's length divides.
std::vector<unsigned> make_file(int count) {
  workload::Random random(19);
  std::vector<unsigned> file;
  for (int i = 0; i < count; ++i) {
    const bool again = i > count / 2 + 7 && i < count / 10 * 9;
    file.push_back(again ? file[i - count / 2] : random.below(~0u));
  }
  return file;
}

}  // namespace

int main(int argc, char** argv) {
  int kibibytes = 65;
  workload::Options("storegpu", "digests of a file's windows and chunks, checked exactly")
      .number("--size", kibibytes, 1, 65536, "length of the file in KiB")
      .parse(argc, argv);

  check_md5();
  const std::vector<unsigned> file = make_file(kibibytes * 256);
  const workload::DeviceArray<unsigned> words(file);
  const std::vector<Digest> windows = window_digests(words.get(), static_cast<int>(file.size()));
  check_windows(windows, file);
  const std::vector<Span> spans = chunks(windows);
  const std::vector<Digest> segments = segment_digests(words.get(), spans);
  check_segments(segments, spans, file);
  std::printf("%zu bytes in %zu chunks: %d bytes are there before\n", 4 * file.size(), spans.size(),
              repeated_bytes(segments, spans));
  return workload::pass();
}
