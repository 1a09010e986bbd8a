// The command line of every SPMD program: `NAME THREADS [tiny | small | NUMBER...]`.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace spmd {

// A number that says how much a program has to do, with its value in both named sizes and the values allowed.
struct Parameter {
  const char* name;
  int tiny, small;
  int least, most;
};

// The command line as read; a bad one is named on standard error and ends the program with status 2.
class Command {
 public:
  Command(int argc, char** argv, std::vector<Parameter> parameters) : program_(argv[0]), parameters_(parameters) {
    if (argc < 2) reject("THREADS", "nothing");
    threads_ = whole_number(argv[1], {"THREADS", 0, 0, 1, 64});
    const char* size = argc > 2 ? argv[2] : "small";
    const bool named = std::strcmp(size, "tiny") == 0 || std::strcmp(size, "small") == 0;
    const int most_words = named ? 3 : 2 + static_cast<int>(parameters_.size());
    if (argc > most_words) reject("one number for each name", argv[most_words]);
    for (int i = 0; i < static_cast<int>(parameters_.size()); ++i) {
      const Parameter& parameter = parameters_[i];
      if (!named && 2 + i < argc)
        values_.push_back(whole_number(argv[2 + i], parameter));
      else
        values_.push_back(std::strcmp(size, "tiny") == 0 ? parameter.tiny : parameter.small);
    }
  }

  int threads() const { return threads_; }

  // The value of the parameter of this index; one that was not given has that of size `small`.
  int operator[](int index) const { return values_[index]; }

 private:
  int whole_number(const char* word, const Parameter& parameter) const {
    char* end = nullptr;
    const long value = std::strtol(word, &end, 10);
    if (*word == '\0' || *end != '\0' || value < parameter.least || value > parameter.most) {
      char expected[100];
      std::snprintf(expected, sizeof expected, "%s, a whole number from %d to %d", parameter.name, parameter.least,
                    parameter.most);
      reject(expected, word);
    }
    return static_cast<int>(value);
  }

  [[noreturn]] void reject(const char* expected, const char* word) const {
    std::fprintf(stderr, "%s: expected %s, not '%s'\nusage: %s THREADS [tiny | small |", program_, expected, word,
                 program_);
    for (const Parameter& parameter : parameters_) std::fprintf(stderr, " %s", parameter.name);
    std::fprintf(stderr, "]\n");
    std::exit(2);
  }

  const char* program_;
  std::vector<Parameter> parameters_;
  int threads_ = 0;
  std::vector<int> values_;
};

}  // namespace spmd
