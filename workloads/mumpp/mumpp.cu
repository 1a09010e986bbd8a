// Exact matches of short reads in a genome by its suffix array, as in MUMmerGPU++: MUMpp of the multi-path paper's
// Table 1. One thread a read, then one thread a match that lists where the match occurs.
//
// A search halves the array; an array of shared letters says from where to compare, or that there is no need to (Manber
// and Myers 1993). Loops have different lengths, but a warp has never more than two ways to go.
#include "../common/genome.h"

namespace {

using workload::Answer;
using workload::Places;

constexpr int kBlockThreads = 256;

// The longest match of a read from one of its letters on: how long, and a suffix (its rank in the array) that has it.
struct Match {
  int rank, length;
};

// The letters that a suffix shares with those at both ends of the range of which it is the middle.
struct Shared {
  int with_low, with_high;
};

// How many letters of read[from ...] agree with the text from a position on; `length` is that of the whole read.
__device__ inline int agree(const char* text, int text_length, int place, const char* read, int from, int length,
                            int known) {
  while (from + known < length && place + known < text_length && text[place + known] == read[from + known]) ++known;
  return known;
}

// For every letter of every read from which on a match can be long enough, the longest that begins there. Reads lie
// `pitch` letters apart.
__global__ void find_matches(const int* order, const Shared* shared, const char* text, int text_length,
                             const char* reads, const int* read_length, int read_count, int pitch, int shortest,
                             Match* matches) {
  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self >= read_count) return;
  const char* const read = reads + self * pitch;
  const int length = read_length[self];

  for (int begin = 0; begin + shortest <= length; ++begin) {
    // The read belongs between the suffixes of rank `low` and `high`, and agrees with them in so many letters.
    int low = 0, high = text_length - 1;
    int low_agrees = agree(text, text_length, order[low], read, begin, length, 0);
    int high_agrees = agree(text, text_length, order[high], read, begin, length, 0);
    while (high - low > 1) {
      const int middle = (low + high) / 2, place = order[middle];
      int agrees;
      if (low_agrees >= high_agrees) {
        agrees = shared[middle].with_low;
        if (agrees >= low_agrees) agrees = agree(text, text_length, place, read, begin, length, low_agrees);
      } else {
        agrees = shared[middle].with_high;
        if (agrees >= high_agrees) agrees = agree(text, text_length, place, read, begin, length, high_agrees);
      }
      if (begin + agrees == length || read[begin + agrees] < text[place + agrees]) {
        high = middle;
        high_agrees = agrees;
      } else {
        low = middle;
        low_agrees = agrees;
      }
    }
    const bool lower = low_agrees >= high_agrees;
    matches[self * pitch + begin] = {lower ? low : high, lower ? low_agrees : high_agrees};
  }
}

// Suffixes that share a start are neighbours in the array; common[i] letters are those that ranks i - 1 and i share.
__global__ void locate_matches(const int* order, const int* common, int text_length, const Match* matches,
                               int match_count, Places* places) {
  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self >= match_count) return;
  const Match match = matches[self];
  int first = order[match.rank], low = match.rank, high = match.rank;
  while (low > 0 && common[low] >= match.length) {
    --low;
    if (order[low] < first) first = order[low];
  }
  while (high + 1 < text_length && common[high + 1] >= match.length) {
    ++high;
    if (order[high] < first) first = order[high];
  }
  places[self] = {high - low + 1, first};
}

// Letters that every suffix shares with the one before it in alphabetical order (Kasai et al. 2001).
std::vector<int> common_letters(const std::string& text, const std::vector<int>& order) {
  std::vector<int> rank(order.size()), common(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<int>(i);
  std::size_t shared = 0;
  for (std::size_t place = 0; place < text.size(); ++place) {
    if (rank[place] == 0) {
      shared = 0;
      continue;
    }
    const std::size_t before = order[rank[place] - 1];
    while (place + shared < text.size() && before + shared < text.size() &&
           text[place + shared] == text[before + shared])
      ++shared;
    common[rank[place]] = static_cast<int>(shared);
    if (shared > 0) --shared;
  }
  return common;
}

// Fills in what the middle of ranks low to high shares with both, and likewise in both halves; returns what `low` and
// `high` share, the least that neighbours between them do.
int share(const std::vector<int>& common, int low, int high, std::vector<Shared>& shared) {
  if (high - low <= 1) return common[high];
  const int middle = (low + high) / 2;
  shared[middle] = {share(common, low, middle, shared), share(common, middle, high, shared)};
  return std::min(shared[middle].with_low, shared[middle].with_high);
}

Answer device_answer(const std::string& text, const workload::SuffixArray& suffixes,
                     const std::vector<std::string>& list, int shortest) {
  const workload::Reads reads = workload::pack(list);
  const int read_count = static_cast<int>(list.size()), text_length = static_cast<int>(text.size());
  const std::vector<int> host_common = common_letters(text, suffixes.order());
  std::vector<Shared> host_shared(text.size());
  share(host_common, 0, text_length - 1, host_shared);
  const workload::DeviceArray<int> order(suffixes.order()), common(host_common);
  const workload::DeviceArray<Shared> shared(host_shared);
  const workload::DeviceArray<char> device_text(std::vector<char>(text.begin(), text.end())), letters(reads.letters);
  const workload::DeviceArray<int> lengths(reads.lengths);
  const workload::DeviceArray<Match> device_matches(reads.letters.size());
  find_matches<<<(read_count + kBlockThreads - 1) / kBlockThreads, kBlockThreads>>>(
      order.get(), shared.get(), device_text.get(), text_length, letters.get(), lengths.get(), read_count, reads.pitch,
      shortest, device_matches.get());
  CUDA_CHECK(cudaGetLastError());

  Answer answer;
  std::vector<Match> matches;
  const std::vector<Match> all = device_matches.download();
  for (int read = 0; read < read_count; ++read) {
    for (int begin = 0; begin + shortest <= reads.lengths[read]; ++begin) {
      const Match match = all[static_cast<std::size_t>(read) * reads.pitch + begin];
      if (match.rank < 0 || match.rank >= text_length)
        workload::fail("read %d, letter %d: the array has no rank %d", read, begin, match.rank);
      answer.lengths.push_back(match.length);
      if (match.length >= shortest) matches.push_back(match);
    }
  }
  if (matches.empty()) return answer;

  const int match_count = static_cast<int>(matches.size());
  const workload::DeviceArray<Match> long_matches(matches);
  const workload::DeviceArray<Places> places(matches.size());
  locate_matches<<<(match_count + kBlockThreads - 1) / kBlockThreads, kBlockThreads>>>(
      order.get(), common.get(), text_length, long_matches.get(), match_count, places.get());
  CUDA_CHECK(cudaGetLastError());
  answer.places = places.download();
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  const workload::Question question =
      workload::ask("mumpp", "longest matches of reads in a genome by its suffix array, checked exactly", argc, argv);
  const workload::SuffixArray suffixes(question.text);
  return workload::conclude(question, suffixes,
                            device_answer(question.text, suffixes, question.reads, question.shortest));
}
