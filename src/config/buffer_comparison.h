// What a buffer holds against what it should hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "config/launch_file.h"

namespace warpfork::config {

struct BufferComparison {
  std::string buffer;
  std::uint64_t elements = 0;
  std::uint64_t differing = 0;
  std::uint64_t first_index = 0;  // of a differing element, with the two values there
  std::string first_got, first_expected;
  bool relative = false;  // floats' errors are relative, integers' absolute, as the tolerance is
  double largest_error = 0;

  bool passed() const { return differing == 0; }
  /// "out: 3 of 32 elements differ, first [4]: got 7, expected 5; largest error 2" (of floats: "largest relative
  /// error")
  std::string describe() const;
};

/// `got` has as many bytes as the expectation. An exact float comparison is of bits, but any NaN equals any NaN, as PTX
/// leaves their payload open; a relative error where 0 is expected is infinite.
BufferComparison compare(const Expectation& expectation, std::span<const std::byte> got);

}  // namespace warpfork::config
