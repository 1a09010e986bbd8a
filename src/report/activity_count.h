// What a launch's instructions did to the units of the cores, counted where a run's energy is asked for
// (docs/result-schema.md, "activity"; docs/energy.md has what each costs).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/named_counts.h"
#include "base/types.h"

namespace warpfork::report {

/// What a thread's instruction asks of the arithmetic units.
enum class Operation : std::uint8_t {
  Integer,
  IntegerMultiply,
  FloatAdd,
  FloatMultiply,
  FloatMultiplyAdd,
  Double,
  Special,
  Division,
  Shuffle,
  Address,
};
inline constexpr unsigned kOperations = 10;

inline constexpr std::array<CaseKey, kOperations> kOperationKeys = {{
    {"integer", "32-bit integers: sums, comparisons, logic, shifts, moves, conversions"},
    {"integer_multiply", "integer products, with or without a sum"},
    {"float_add", "single-precision sums, minima and maxima"},
    {"float_multiply", "single-precision products"},
    {"float_multiply_add", "single-precision products with a sum"},
    {"double", "double-precision sums and products"},
    {"special", "special functions"},
    {"division", "divisions and remainders of any type"},
    {"shuffle", "values exchanged between the threads of a warp"},
    {"address", "addresses of loads, stores and atomics"},
}};

struct ActivityCount {
  using Operations = std::array<std::uint64_t, kOperations>;

  std::uint64_t instructions = 0;
  Operations operations{}, slots{};
  std::uint64_t register_reads = 0, register_writes = 0, results = 0;
  std::uint64_t block_ends = 0, paths = 0;
  std::uint64_t shared_words = 0, flits = 0;
  Cycle window = 64;
  std::vector<std::vector<std::uint64_t>> samples;  // activity_samples.h

  /// Nobody asked for it.
  bool empty() const { return instructions == 0; }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.count("instructions", instructions, "warp instructions", "that were counted: all");
    v.group("operations", NamedCounts<kOperations>{operations, kOperationKeys, "thread instructions"},
            "of threads whose guard was true, by kind; branches, barriers and exits are none");
    v.group("slots", NamedCounts<kOperations>{slots, kOperationKeys, "thread instructions"},
            "for which there was a place in the cycles that these took: the warp size in lanes side by side, whole "
            "groups in temporal ones and where cycles are compressed");
    v.count("register_reads", register_reads, "words",
            "of 32 bits read from the register banks: of every place in the rows that an instruction needs; of the "
            "scalar file of `simt-scalar` once for a warp");
    v.count("register_writes", register_writes, "words", "the same, written");
    v.count("results", results, "registers",
            "that instructions had as their destinations: each is noted in the scoreboard and cleared there");
    v.count("block_ends", block_ends, "warp instructions",
            "at the end of a basic block: the divergence mechanism is asked where the threads go on");
    v.count("paths", paths, "paths", "that went on from there, at least one each");
    v.count("shared_words", shared_words, "words", "of 32 bits that threads read from or wrote to shared memory");
    v.count("flits", flits, "flits", "that the interconnect carried, both ways");
    v.fact("window", window, "core cycles",
           "of the power over time in `energy`; windows grow with the launch, 64 at most");
    v.hidden("samples", samples);
  }
};

}  // namespace warpfork::report
