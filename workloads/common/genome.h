// What the workloads that match reads in a genome share: getting both, and the right answer.
#pragma once

#include <algorithm>

#include "check.h"

namespace workload {

constexpr char kTextEnd = '$';  // after the last letter of a genome

// Where in the genome a match occurs.
struct Places {
  int count, first;
};

inline bool operator==(const Places& a, const Places& b) { return a.count == b.count && a.first == b.first; }

// The longest matches of all reads.
struct Answer {
  std::vector<int> lengths;    // per read and letter at which a match can begin
  std::vector<Places> places;  // per match that is long enough, in the same order
};

// Reads of different lengths, padded to one pitch.
struct Reads {
  std::vector<char> letters;
  std::vector<int> lengths;
  int pitch;
};

inline Reads pack(const std::vector<std::string>& list) {
  Reads reads{{}, {}, 1};
  for (const std::string& read : list) reads.pitch = std::max(reads.pitch, static_cast<int>(read.size()));
  for (const std::string& read : list) {
    reads.lengths.push_back(static_cast<int>(read.size()));
    reads.letters.insert(reads.letters.end(), read.begin(), read.end());
    reads.letters.resize(reads.lengths.size() * reads.pitch, 'N');
  }
  return reads;
}

inline std::vector<std::string> lines(const std::string& path, const char* remedy) {
  std::vector<std::string> result(1);
  for (const unsigned char byte : read_file(path, remedy)) {
    if (byte == '\n')
      result.emplace_back();
    else
      result.back() += static_cast<char>(byte);
  }
  return result;
}

// The sequence of a FASTA file.
inline std::string read_genome(const std::string& path) {
  std::string genome;
  for (const std::string& line : lines(path, "give --genome FILE in FASTA"))
    if (line.empty() || line[0] != '>') genome += line;
  const std::size_t wrong = genome.find_first_not_of("ACGT");
  if (wrong != std::string::npos) fail("%s: letter %zu is not one of A, C, G, T", path.c_str(), wrong + 1);
  if (genome.empty()) fail("%s holds no sequence", path.c_str());
  return genome;
}

// The second line of every four of a FASTQ file.
inline std::vector<std::string> read_fastq(const std::string& path, int most) {
  std::vector<std::string> reads;
  const std::vector<std::string> all = lines(path, "give --fastq FILE");
  for (std::size_t i = 1; i < all.size() && static_cast<int>(reads.size()) < most; i += 4) reads.push_back(all[i]);
  if (reads.empty()) fail("%s holds no reads", path.c_str());
  return reads;
}

// Reads drawn from the genome, half of them from its other strand; one letter in 50 is wrong, one in 100 unknown (N).
inline std::vector<std::string> draw_reads(const std::string& genome, int count, int length) {
  Random random(17);
  std::vector<std::string> reads;
  for (int i = 0; i < count; ++i) {
    const std::size_t longest = std::min<std::size_t>(length, genome.size());
    std::string read = genome.substr(random.below(static_cast<unsigned>(genome.size() - longest + 1)), longest);
    if (random.below(2) == 1) {
      std::reverse(read.begin(), read.end());
      for (char& letter : read) letter = letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : 'A';
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

// The suffixes of a text in alphabetical order, sorted by plain comparison, and a search that narrows them letter by
// letter.
class SuffixArray {
 public:
  // `text` must outlive the array.
  explicit SuffixArray(const std::string& text) : text_(text) {
    for (std::size_t i = 0; i < text.size(); ++i) order_.push_back(static_cast<int>(i));
    std::sort(order_.begin(), order_.end(), [&](int a, int b) { return text.compare(a, text.npos, text, b) < 0; });
  }

  const std::vector<int>& order() const { return order_; }

  // Length and places of the longest start of read[begin ...] that the text holds.
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

inline Answer reference_answer(const SuffixArray& suffixes, const std::vector<std::string>& reads, int shortest) {
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

inline void expect_equal(const Answer& got, const Answer& expected) {
  expect_equal("match lengths", got.lengths, expected.lengths);
  if (got.places.size() != expected.places.size())
    fail("%zu long matches, expected %zu", got.places.size(), expected.places.size());
  for (std::size_t i = 0; i < expected.places.size(); ++i)
    if (!(got.places[i] == expected.places[i]))
      fail("match %zu: got %d places from %d on, expected %d from %d on", i, got.places[i].count, got.places[i].first,
           expected.places[i].count, expected.places[i].first);
}

// What a matcher is asked.
struct Question {
  std::string text;  // the genome and kTextEnd
  std::vector<std::string> reads;
  int shortest = 16;  // letters that a match must have
};

inline Question ask(const char* program, const char* summary, int argc, char** argv) {
  int count = 1024, length = 32;
  std::string genome_file = data_file("lambda_virus.fa"), fastq;
  Question question;
  Options(program, summary)
      .number("--reads", count, 1, 1000000, "number of reads")
      .number("--length", length, 1, 10000, "letters of a drawn read")
      .number("--shortest", question.shortest, 1, 10000, "letters that a match must have")
      .text("--genome", genome_file, "reference sequence, FASTA")
      .text("--fastq", fastq, "take the reads from this FASTQ file instead of drawing them from the genome")
      .parse(argc, argv);
  const std::string genome = read_genome(genome_file);
  question.reads = fastq.empty() ? draw_reads(genome, count, length) : read_fastq(fastq, count);
  question.text = genome + kTextEnd;
  return question;
}

// Checks the answer and says what was found; the program's exit status.
inline int conclude(const Question& question, const SuffixArray& suffixes, const Answer& answer) {
  expect_equal(answer, reference_answer(suffixes, question.reads, question.shortest));
  std::printf("%zu reads in %zu letters: %zu matches of %d letters or more\n", question.reads.size(),
              question.text.size() - 1, answer.places.size(), question.shortest);
  return pass();
}

}  // namespace workload
