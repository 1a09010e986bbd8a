// Instructions for a GPU, and digests of what it made of them (README.md beside this file):
//   silicon_forms write FOLDER                 modules, operands and how they are launched
//   zcat results.gz | silicon_forms digest     one line a form: 00c5b2ef8a31d76e add.u16 %h0, %h1, %h2;
//   zcat results.gz | silicon_forms values     %r0 of the first launch of each approximate form
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <stdexcept>

#include "reference_harness/records.h"
#include "unit/simt/instruction_forms.h"

namespace {

using namespace warpfork::simt;
using namespace warpfork::reference;

/// Those with digests; the approximate ones follow them.
std::vector<std::string> exact_forms() {
  std::vector<std::string> forms = instruction_forms();
  for (const std::string& form : warp_instruction_forms()) forms.push_back(form);
  return forms;
}

void write_to(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void write_modules(const std::string& folder) {
  std::vector<std::string> forms = exact_forms();
  for (const std::string& form : approximate_forms()) forms.push_back(form);
  for (std::size_t i = 0; i < forms.size(); ++i)
    write_to(fmt::format("{}/{:04}.ptx", folder, i), silicon_module(forms[i]));
  std::string operands;
  for (const std::vector<ThreadRegisters>& threads : form_operands()) {
    const std::vector<std::byte> bytes = bytes_of(threads);
    operands.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  write_to(folder + "/operands", operands);
  write_to(folder + "/launches", fmt::format("{} {} {}\n", form_operands().size(), kRecordBytes, kOutBytes));
}

/// What a form left behind: a byte (0: the GPU's driver refused it), then for every launch the bits of records and
/// output that are others than before.
std::vector<Outcome> read_outcomes() {
  std::vector<Outcome> outcomes;
  if (const int there = std::cin.get(); there != 1) {
    if (there != 0) throw std::runtime_error("the results end too early");
    return outcomes;
  }
  for (const std::vector<ThreadRegisters>& threads : form_operands()) {
    std::vector<std::byte> bytes(threads.size() * kRecordBytes + kOutBytes);
    if (!std::cin.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
      throw std::runtime_error("the results end too early");
    const std::vector<std::byte> before = bytes_of(threads);
    std::transform(before.begin(), before.end(), bytes.begin(), bytes.begin(), std::bit_xor<>());
    Outcome& outcome = outcomes.emplace_back();
    outcome.threads = threads_of({bytes.data(), bytes.size() - kOutBytes});
    outcome.out.resize(kOutBytes / 4);
    std::memcpy(outcome.out.data(), bytes.data() + bytes.size() - kOutBytes, kOutBytes);
  }
  return outcomes;
}

void print_digests() {
  for (const std::string& form : exact_forms())
    if (const std::vector<Outcome> outcomes = read_outcomes(); !outcomes.empty())
      fmt::print("{:016x} {}\n", digest(outcomes), form);
}

void print_values() {
  for (std::size_t left = exact_forms().size(); left > 0; --left) read_outcomes();
  for (const std::string& form : approximate_forms()) {
    const std::vector<Outcome> outcomes = read_outcomes();
    fmt::print("{}\n", form);
    for (const ThreadRegisters& thread : outcomes.at(0).threads) fmt::print("{:08x}\n", thread.r[0]);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string what = argc == 3 ? argv[1] : "";
  if (what == "write")
    write_modules(argv[2]);
  else if (argc == 2 && argv[1] == std::string("digest"))
    print_digests();
  else if (argc == 2 && argv[1] == std::string("values"))
    print_values();
  else
    return std::fputs("usage: silicon_forms write FOLDER | digest < RESULTS | values < RESULTS\n", stderr), 2;
} catch (const std::exception& error) {
  fmt::print(stderr, "silicon_forms: {}\n", error.what());
  return 1;
}
