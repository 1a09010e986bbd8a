// A kernel around a few instructions: every thread's registers come from memory and go back there, so that one body can
// be run by the reference and by the fast executor and all results compared.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace warpfork::reference {

/// What a body may name: %r0 … %r7 (.b32), %d0 … %d3 (.b64), %h0 … %h3 (.b16), %p0 … %p3; %thread, the thread's number;
/// the shared array `scratch` (8 KB) and its address %scratch; the constant words `table[16]`; %out, the device address
/// of 8 KB of zeros; the label finish.
struct ThreadRegisters {
  std::array<std::uint32_t, 8> r{};
  std::array<std::uint64_t, 4> d{};
  std::array<std::uint16_t, 4> h{};
  std::array<bool, 4> p{};
  bool operator==(const ThreadRegisters&) const = default;
};

/// All that a run leaves behind.
struct Outcome {
  std::vector<ThreadRegisters> threads;
  std::vector<std::uint32_t> out;
  bool operator==(const Outcome&) const = default;
};

/// The PTX of the whole module; `functions` stand before the kernel.
std::string harness_ptx(std::string_view body, std::string_view functions = "");

/// One block of as many threads as `threads` has.
Outcome run_reference(std::string_view body, const std::vector<ThreadRegisters>& threads,
                      std::string_view functions = "");

/// One thread's registers after the body, by the reference: for tests of single instructions.
ThreadRegisters after(std::string_view body, const ThreadRegisters& before);

/// %r0 after the body, %r1, %r2, … given; likewise %d0 from %d1, … .
std::uint32_t r0_after(std::string_view body, std::initializer_list<std::uint32_t> r);
std::uint64_t d0_after(std::string_view body, std::initializer_list<std::uint64_t> d);

/// A whole module whose kernel `body` has one parameter, the address of `words` zeroed words: what it leaves there.
std::vector<std::uint32_t> run_module_reference(std::string_view ptx, Dim3 grid, Dim3 block, std::size_t words);

/// The first difference in words, for a failing test; empty if there is none.
std::string difference(const Outcome& reference, const Outcome& fast);

}  // namespace warpfork::reference
