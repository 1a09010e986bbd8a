// Exact matches of short reads in a genome by its suffix tree, as in MUMmerGPU: MUM of the papers' tables. One thread a
// read, then one thread a match that lists where the match occurs.
//
// Every lane walks the tree on a path of its own: an else-if chain over the next letter, label comparisons that end
// anywhere, and dependent loads from scattered nodes.
#include "../common/genome.h"
#include "suffix_tree.h"

namespace {

using workload::Answer;
using workload::Places;

constexpr int kBlockThreads = 256;

// The longest match of a read from one of its letters on.
struct Match {
  int node;    // the tree node at its end, or right below; 0 for a match shorter than asked for
  int length;  // letters
};

// The tree and the reference are read through the texture cache, as in MUMmerGPU.
template <typename Number>
__device__ inline Number fetch(const Number& number) {
  return __ldg(&number);
}

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
    int position = begin + fetch(tree[node].depth);
    int below = node, partial = 0;  // the match's end: letters on the edge into the node below it
    while (position < length) {
      const char letter = read[position];
      int child = 0;
      if (letter == 'A') {
        child = fetch(tree[node].child[0]);
      } else if (letter == 'C') {
        child = fetch(tree[node].child[1]);
      } else if (letter == 'G') {
        child = fetch(tree[node].child[2]);
      } else if (letter == 'T') {
        child = fetch(tree[node].child[3]);
      }
      if (child == 0) break;  // nothing in the reference goes on like this, or the letter was never read

      const int label = fetch(tree[child].start), label_length = fetch(tree[child].depth) - fetch(tree[node].depth);
      int matched = 1;
      while (matched < label_length && position + matched < length &&
             fetch(reference[label + matched]) == read[position + matched])
        ++matched;
      below = child;
      if (matched < label_length) {
        partial = matched;
        break;
      }
      node = child;
      position += label_length;
    }

    const int found = fetch(tree[node].depth) + partial;
    matches[self * pitch + begin] = {found >= shortest ? below : 0, found};
    node = fetch(tree[node].link);
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
    while (next < kChildren && fetch(tree[node].child[next]) == 0) ++next;
    if (next < kChildren) {
      node = fetch(tree[node].child[next]);
      next = 0;
      continue;
    }
    if (fetch(tree[node].leaf)) {
      const int place = text_length - fetch(tree[node].depth);
      if (place < first) first = place;
      ++count;
    }
    if (node == top) break;
    const int parent = fetch(tree[node].parent);
    next = 0;
    while (fetch(tree[parent].child[next]) != node) ++next;
    ++next;
    node = parent;
  }
  places[self] = {count, first};
}

Answer device_answer(const std::string& text, const std::vector<std::string>& list, int shortest) {
  const SuffixTree suffix_tree(text);
  const workload::Reads reads = workload::pack(list);
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
  const workload::Question question =
      workload::ask("mum", "longest matches of reads in a genome by its suffix tree, checked exactly", argc, argv);
  const workload::SuffixArray suffixes(question.text);
  return workload::conclude(question, suffixes, device_answer(question.text, question.reads, question.shortest));
}
