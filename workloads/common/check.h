// What the workloads share: their options, the CUDA error check, a random sequence that is the same on every
// machine, and the one-line verdict ("PASS", or "FAIL: what is wrong" and exit status 1).
#pragma once

#include <cuda_runtime.h>
#include <unistd.h>

#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// Ends the program with a FAIL line when a runtime call reports an error.
#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    const cudaError_t cuda_status = (call);                                                        \
    if (cuda_status != cudaSuccess)                                                                \
      workload::fail("%s:%d: %s: %s", __FILE__, __LINE__, #call, cudaGetErrorString(cuda_status)); \
  } while (false)

namespace workload {

// Prints "FAIL: ..." on standard output and ends the program with status 1.
[[noreturn]] inline void fail(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::printf("FAIL: ");
  std::vprintf(format, arguments);
  std::printf("\n");
  va_end(arguments);
  std::exit(1);
}

// Returns the exit status of a run whose results were all right, after saying so.
inline int pass() {
  std::printf("PASS\n");
  return 0;
}

// The command line: `program [SIZE] [--name VALUE]... [--help]`. SIZE is the first number declared.
class Options {
 public:
  Options(const char* program, const char* purpose) : program_(program), purpose_(purpose) {}

  // Declares an integer option; `value` holds the default and receives what the user gave.
  Options& number(const char* name, int& value, int least, int most, const char* help) {
    entries_.push_back({name, help, &value, nullptr, least, most});
    return *this;
  }

  // Declares an option that takes a text, for example a file name.
  Options& text(const char* name, std::string& value, const char* help) {
    entries_.push_back({name, help, nullptr, &value, 0, 0});
    return *this;
  }

  // Reads the command line. `--help` prints the options and exits with 0; a bad one is named and exits with 2.
  void parse(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word == "--help") print_help();
      if (word.compare(0, 2, "--") != 0) {
        if (i != 1) reject("unexpected argument '" + word + "'");
        set(entries_.front(), word);
        continue;
      }
      Entry& entry = find(word);
      if (++i == argc) reject(word + " needs a value");
      set(entry, argv[i]);
    }
  }

 private:
  struct Entry {
    const char* name;
    const char* help;
    int* number;
    std::string* text;
    int least, most;
  };

  Entry& find(const std::string& word) {
    for (Entry& entry : entries_)
      if (word == entry.name) return entry;
    reject("unknown option '" + word + "'");
  }

  void set(Entry& entry, const std::string& word) {
    if (entry.text != nullptr) {
      *entry.text = word;
      return;
    }
    char* end = nullptr;
    const long value = std::strtol(word.c_str(), &end, 10);
    if (word.empty() || *end != '\0' || value < entry.least || value > entry.most)
      reject(std::string(entry.name) + " takes a whole number from " + std::to_string(entry.least) + " to " +
             std::to_string(entry.most) + ", not '" + word + "'");
    *entry.number = static_cast<int>(value);
  }

  [[noreturn]] void print_help() const {
    std::printf("%s: %s\n\nusage: %s [SIZE] [OPTION VALUE]...   (SIZE: same as %s)\n", program_, purpose_, program_,
                entries_.front().name);
    for (const Entry& entry : entries_) {
      const std::string standard = entry.number != nullptr ? std::to_string(*entry.number) : *entry.text;
      std::printf("  %-14s %s (default: %s)\n", entry.name, entry.help, standard.empty() ? "none" : standard.c_str());
    }
    std::exit(0);
  }

  [[noreturn]] void reject(const std::string& message) const {
    std::fprintf(stderr, "%s: %s; see %s --help\n", program_, message.c_str(), program_);
    std::exit(2);
  }

  const char* program_;
  const char* purpose_;
  std::vector<Entry> entries_;
};

// A linear congruential sequence (constants of Knuth's MMIX); its upper bits are good enough for test inputs.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // A whole number from 0 to bound - 1.
  unsigned below(unsigned bound) { return static_cast<unsigned>((next() * std::uint64_t{bound}) >> 32); }

  // A number from 0 up to, not including, 1.
  float unit() { return static_cast<float>(next() >> 8) * (1.0f / 16777216.0f); }

 private:
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return state_ >> 32;
  }

  std::uint64_t state_;
};

// Appends "bytes digest" (64-bit FNV-1a) of what came back from the device to the file that the environment variable
// WORKLOAD_DOWNLOADS names, if there is one: so that what a GPU and a simulator made can be compared bit by bit.
inline void note_download(const void* data, std::size_t bytes) {
  const char* const name = std::getenv("WORKLOAD_DOWNLOADS");
  if (name == nullptr) return;
  std::uint64_t digest = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < bytes; ++i)
    digest = (digest ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
  std::FILE* const file = std::fopen(name, "a");
  if (file == nullptr) fail("cannot write %s", name);
  std::fprintf(file, "%zu %016llx\n", bytes, static_cast<unsigned long long>(digest));
  std::fclose(file);
}

// Device memory for `count` elements, freed at the end of the scope.
template <class Element>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(Element)));
  }
  explicit DeviceArray(const std::vector<Element>& host) : DeviceArray(host.size()) { upload(host); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  Element* get() const { return data_; }

  void upload(const std::vector<Element>& host) {
    CUDA_CHECK(cudaMemcpy(data_, host.data(), count_ * sizeof(Element), cudaMemcpyHostToDevice));
  }

  std::vector<Element> download() const {
    std::vector<Element> host(count_);
    CUDA_CHECK(cudaMemcpy(host.data(), data_, count_ * sizeof(Element), cudaMemcpyDeviceToHost));
    note_download(host.data(), count_ * sizeof(Element));
    return host;
  }

 private:
  Element* data_ = nullptr;
  std::size_t count_;
};

// Fails unless both hold the same elements; names the first that differs.
template <class Element>
void expect_equal(const char* what, const std::vector<Element>& got, const std::vector<Element>& expected) {
  std::size_t different = 0, first = 0;
  for (std::size_t i = expected.size(); i-- > 0;)
    if (!(got[i] == expected[i])) ++different, first = i;
  if (different != 0)
    fail("%s: %zu of %zu differ, first at %zu: got %.9g, expected %.9g", what, different, expected.size(), first,
         static_cast<double>(got[first]), static_cast<double>(expected[first]));
}

// Fails unless |got - expected| <= tolerance * max(1, |expected|) for every element; a NaN never passes.
inline void expect_near(const char* what, const std::vector<float>& got, const std::vector<double>& expected,
                        double tolerance) {
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = expected.size(); i-- > 0;)
    if (!(std::fabs(got[i] - expected[i]) <= tolerance * std::fmax(1.0, std::fabs(expected[i])))) ++wrong, first = i;
  if (wrong != 0)
    fail("%s: %zu of %zu off by more than %g, first at %zu: got %.9g, expected %.9g", what, wrong, expected.size(),
         tolerance, first, static_cast<double>(got[first]), expected[first]);
}

// The whole contents of a file; fails with its name when it cannot be read.
inline std::vector<unsigned char> read_file(const std::string& path, const char* remedy) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) fail("cannot open %s: %s", path.c_str(), remedy);
  std::vector<unsigned char> contents;
  unsigned char chunk[65536];
  for (std::size_t got; (got = std::fread(chunk, 1, sizeof chunk, file)) > 0;)
    contents.insert(contents.end(), chunk, chunk + got);
  const bool broken = std::ferror(file) != 0;
  std::fclose(file);
  if (broken) fail("cannot read %s: %s", path.c_str(), remedy);
  return contents;
}

// Where the build puts an input: the folder `data` beside the program.
inline std::string data_file(const char* name) {
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  const std::string path(self, length > 0 ? static_cast<std::size_t>(length) : 0);
  return path.substr(0, path.rfind('/') + 1) + "data/" + name;
}

}  // namespace workload
