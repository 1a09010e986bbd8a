// nvcc's options about device code's arithmetic (`nvcc --help`, "-use_fast_math" and those that it implies).
#pragma once

#include <string>
#include <vector>

namespace warpfork::compiler {

struct FloatingPointOptions {
  bool flush_subnormals = false;       // -ftz: of single precision, to zero
  bool precise_division = true;        // -prec-div: of single precision
  bool precise_roots = true;           // -prec-sqrt: of single precision
  bool fuse = true;                    // -fmad: a * b + c is one fused multiply-add
  bool approximate_functions = false;  // sinf is __sinf, and so on

  /// -use_fast_math
  void make_fast();
};

/// How clang and the toolchain's headers are told.
std::vector<std::string> device_words(const FloatingPointOptions& options);

}  // namespace warpfork::compiler
