// Exact matches of short reads in a genome: MUM of the papers' tables (suffix-tree matching as in MUMmer), one thread a
// read, then one thread a match that lists where the match occurs.
//
// Every lane walks the tree on a path of its own: an else-if chain over the next letter, label comparisons that end
// anywhere, and dependent loads from scattered nodes.
#include <algorithm>

#include "../common/check.h"
#include "suffix_tree.h"

namespace {

constexpr int kBlockThreads = 256;

// The longest match of a read from one of its letters on.
struct Match {
  int node;    // the tree node at its end, or right below; 0 for a match shorter than asked for
  int length;  // letters
};

// Where in the reference a match occurs.
struct Places {
  int count, first;
};

bool operator==(const Places& a, const Places& b) { return a.count == b.count && a.first == b.first; }

// For every letter of every read from which on a match can be long enough, the longest that begins there. Reads lie
// `pitch` letters apart.
__global__ void find_matches(const TreeNode* tree, const char* reference, const char* reads, const int* read_length,
                             int read_count, int pitch, int shortest, Match* matches) {
  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self >= read_count) return;
  const char* const read = reads + self * pitch;
  const int length = read_length[self];

  int node = 0;  // the deepest node whose whole path the read follows
  for (int begin = 0; begin + shortest <= length; ++begin) {
    int position = begin + tree[node].depth;
    int below = node, partial = 0;  // the match's end: letters on the edge into the node below it
    while (position < length) {
      const char letter = read[position];
      int child = 0;
      if (letter == 'A') {
        child = tree[node].child[0];
      } else if (letter == 'C') {
        child = tree[node].child[1];
      } else if (letter == 'G') {
        child = tree[node].child[2];
      } else if (letter == 'T') {
        child = tree[node].child[3];
      }
      if (child == 0) break;  // nothing in the reference goes on like this, or the letter was never read

      const int label = tree[child].start, label_length = tree[child].depth - tree[node].depth;
      int matched = 1;
      while (matched < label_length && position + matched < length &&
             reference[label + matched] == read[position + matched])
        ++matched;
      below = child;
      if (matched < label_length) {
        partial = matched;
        break;
      }
      node = child;
      position += label_length;
    }

    const int found = tree[node].depth + partial;
    matches[self * pitch + begin] = {found >= shortest ? below : 0, found};
    node = tree[node].link;
  }
}

// Walks the subtree at every match, without a stack: down to a leaf, then up until there is another child to go to.
__global__ void locate_matches(const TreeNode* tree, const Match* matches, int match_count, int text_length,
                               Places* places) {
  const int self = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (self >= match_count) return;
  const int top = matches[self].node;
  int count = 0, first = text_length;
  int node = top, next = 0;  // the node, and the first of its children not yet walked
  while (true) {
    while (next < kChildren && tree[node].child[next] == 0) ++next;
    if (next < kChildren) {
      node = tree[node].child[next];
      next = 0;
      continue;
    }
    if (tree[node].leaf) {
      const int place = text_length - tree[node].depth;
      if (place < first) first = place;
      ++count;
    }
    if (node == top) break;
    const int parent = tree[node].parent;
    next = 0;
    while (tree[parent].child[next] != node) ++next;
    ++next;
    node = parent;
  }
  places[self] = {count, first};
}

// Reads of different lengths, padded to one pitch.
struct Reads {
  std::vector<char> letters;
  std::vector<int> lengths;
  int pitch;
};

Reads pack(const std::vector<std::string>& list) {
  Reads reads{{}, {}, 1};
  for (const std::string& read : list) reads.pitch = std::max(reads.pitch, static_cast<int>(read.size()));
  for (const std::string& read : list) {
    reads.lengths.push_back(static_cast<int>(read.size()));
    reads.letters.insert(reads.letters.end(), read.begin(), read.end());
    reads.letters.resize(reads.lengths.size() * reads.pitch, 'N');
  }
  return reads;
}

std::vector<std::string> lines(const std::string& path, const char* remedy) {
  std::vector<std::string> result(1);
  for (const unsigned char byte : workload::read_file(path, remedy)) {
    if (byte == '\n')
      result.emplace_back();
    else
      result.back() += static_cast<char>(byte);
  }
  return result;
}

// The sequence of a FASTA file.
std::string read_genome(const std::string& path) {
  std::string genome;
  for (const std::string& line : lines(path, "give --genome FILE in FASTA"))
    if (line.empty() || line[0] != '>') genome += line;
  const std::size_t wrong = genome.find_first_not_of("ACGT");
  if (wrong != std::string::npos) workload::fail("%s: letter %zu is not one of A, C, G, T", path.c_str(), wrong + 1);
  if (genome.empty()) workload::fail("%s holds no sequence", path.c_str());
  return genome;
}

// The second line of every four of a FASTQ file.
std::vector<std::string> read_fastq(const std::string& path, int most) {
  std::vector<std::string> reads;
  const std::vector<std::string> all = lines(path, "give --fastq FILE");
  for (std::size_t i = 1; i < all.size() && static_cast<int>(reads.size()) < most; i += 4) reads.push_back(all[i]);
  if (reads.empty()) workload::fail("%s holds no reads", path.c_str());
  return reads;
}

// Reads drawn from the genome, half of them from its other strand; one letter in 50 is wrong, one in 100 unknown (N).
std::vector<std::string> draw_reads(const std::string& genome, int count, int length) {
  workload::Random random(17);
  std::vector<std::string> reads;
  for (int i = 0; i < count; ++i) {
    const std::size_t longest = std::min<std::size_t>(length, genome.size());
    std::string read = genome.substr(random.below(static_cast<unsigned>(genome.size() - longest + 1)), longest);
    if (random.below(2) == 1) {
      std::reverse(read.begin(), read.end());
      for (char& letter : read) letter = "TGCA"[child_number(letter)];
    }
    for (char& letter : read) {
      const unsigned luck = random.below(100);
      if (luck < 2) letter = "ACGT"[random.below(4)];
      if (luck == 2) letter = 'N';
    }
    reads.push_back(read);
  }
  return reads;
}

// The suffixes of a text in alphabetical order: the reference answer, found without any tree.
class SuffixArray {
 public:
  explicit SuffixArray(const std::string& text) : text_(text) {
    for (std::size_t i = 0; i < text.size(); ++i) order_.push_back(static_cast<int>(i));
    std::sort(order_.begin(), order_.end(), [&](int a, int b) { return text.compare(a, text.npos, text, b) < 0; });
  }

  // Narrows the suffixes letter by letter down to those that share the longest start with read[begin ...].
  int longest_match(const std::string& read, std::size_t begin, Places* places) const {
    auto low = order_.begin(), high = order_.end();
    int length = 0;
    for (std::size_t i = begin; i < read.size(); ++i, ++length) {
      const auto letter = [&](int suffix) { return suffix + length < size() ? text_[suffix + length] : '\0'; };
      const auto first = std::partition_point(low, high, [&](int s) { return letter(s) < read[i]; });
      const auto last = std::partition_point(first, high, [&](int s) { return letter(s) <= read[i]; });
      if (first == last) break;
      low = first;
      high = last;
    }
    *places = {static_cast<int>(high - low), *std::min_element(low, high)};
    return length;
  }

 private:
  int size() const { return static_cast<int>(text_.size()); }

  const std::string& text_;
  std::vector<int> order_;
};

struct Answer {
  std::vector<int> lengths;    // per read and letter at which a match can begin
  std::vector<Places> places;  // per match that is long enough, in the same order
};

Answer reference_answer(const std::string& text, const std::vector<std::string>& reads, int shortest) {
  const SuffixArray suffixes(text);
  Answer answer;
  for (const std::string& read : reads) {
    for (std::size_t begin = 0; begin + shortest <= read.size(); ++begin) {
      Places places;
      answer.lengths.push_back(suffixes.longest_match(read, begin, &places));
      if (answer.lengths.back() >= shortest) answer.places.push_back(places);
    }
  }
  return answer;
}

Answer device_answer(const std::string& text, const std::vector<std::string>& list, int shortest) {
  const SuffixTree suffix_tree(text);
  const Reads reads = pack(list);
  const int read_count = static_cast<int>(list.size());
  const workload::DeviceArray<TreeNode> tree(suffix_tree.nodes());
  const workload::DeviceArray<char> reference(std::vector<char>(text.begin(), text.end())), letters(reads.letters);
  const workload::DeviceArray<int> lengths(reads.lengths);
  const workload::DeviceArray<Match> device_matches(reads.letters.size());
  find_matches<<<(read_count + kBlockThreads - 1) / kBlockThreads, kBlockThreads>>>(
      tree.get(), reference.get(), letters.get(), lengths.get(), read_count, reads.pitch, shortest,
      device_matches.get());
  CUDA_CHECK(cudaGetLastError());

  Answer answer;
  std::vector<Match> matches;
  const std::vector<Match> all = device_matches.download();
  for (int read = 0; read < read_count; ++read) {
    for (int begin = 0; begin + shortest <= reads.lengths[read]; ++begin) {
      const Match match = all[static_cast<std::size_t>(read) * reads.pitch + begin];
      if (match.node < 0 || match.node >= static_cast<int>(suffix_tree.nodes().size()))
        workload::fail("read %d, letter %d: the tree has no node %d", read, begin, match.node);
      answer.lengths.push_back(match.length);
      if (match.node != 0) matches.push_back(match);
    }
  }
  if (matches.empty()) return answer;

  const int match_count = static_cast<int>(matches.size());
  const workload::DeviceArray<Match> long_matches(matches);
  const workload::DeviceArray<Places> places(matches.size());
  locate_matches<<<(match_count + kBlockThreads - 1) / kBlockThreads, kBlockThreads>>>(
      tree.get(), long_matches.get(), match_count, static_cast<int>(text.size()), places.get());
  CUDA_CHECK(cudaGetLastError());
  answer.places = places.download();
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  int count = 1024, length = 32, shortest = 16;
  std::string genome_file = workload::data_file("lambda_virus.fa"), fastq;
  workload::Options("dna", "longest matches of reads in a genome by its suffix tree, checked exactly")
      .number("--reads", count, 1, 1000000, "number of reads")
      .number("--length", length, 1, 10000, "letters of a drawn read")
      .number("--shortest", shortest, 1, 10000, "letters that a match must have")
      .text("--genome", genome_file, "reference sequence, FASTA")
      .text("--fastq", fastq, "take the reads from this FASTQ file instead of drawing them from the genome")
      .parse(argc, argv);

  const std::string genome = read_genome(genome_file);
  const std::string text = genome + kTextEnd;
  const std::vector<std::string> reads = fastq.empty() ? draw_reads(genome, count, length) : read_fastq(fastq, count);
  const Answer answer = device_answer(text, reads, shortest), expected = reference_answer(text, reads, shortest);

  workload::expect_equal("match lengths", answer.lengths, expected.lengths);
  if (answer.places.size() != expected.places.size())
    workload::fail("%zu long matches, expected %zu", answer.places.size(), expected.places.size());
  for (std::size_t i = 0; i < expected.places.size(); ++i)
    if (!(answer.places[i] == expected.places[i]))
      workload::fail("match %zu: got %d places from %d on, expected %d from %d on", i, answer.places[i].count,
                     answer.places[i].first, expected.places[i].count, expected.places[i].first);
  std::printf("%zu reads in %zu letters: %zu matches of %d letters or more\n", reads.size(), genome.size(),
              answer.places.size(), shortest);
  return workload::pass();
}
