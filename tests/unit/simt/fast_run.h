// The fast executor on what the harness of the reference runs, so that both can be compared.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference_harness/harness.h"
#include "simt/code_options.h"
#include "simt/lane_permutation.h"

namespace warpfork::simt {

using reference::Outcome;
using reference::run_module_reference;
using reference::run_reference;
using reference::ThreadRegisters;

/// How the fast executor's lanes are grouped.
enum class Grouping : std::uint8_t {
  Together,  // all lanes of a warp that are at its lowest PC
  Scattered  // any part of them: right for bodies without warp-wide instructions
};
/// Threads have the lanes that `lanes` gives them. An odd seed asks for the handlers of the baseline, one that is even
/// for those of AVX2, one that four divides for the best of this host.
Outcome run_fast(std::string_view body, const std::vector<ThreadRegisters>& threads, Grouping grouping,
                 std::uint64_t seed, std::string_view functions = "", const CodeOptions& code = {},
                 LanePermutation lanes = LanePermutation::Identity);

/// As run_module_reference().
std::vector<std::uint32_t> run_module_fast(std::string_view ptx, Dim3 grid, Dim3 block, std::size_t words,
                                           std::uint64_t seed);

}  // namespace warpfork::simt
