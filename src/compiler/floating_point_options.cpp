#include "compiler/floating_point_options.h"

namespace warpfork::compiler {

void FloatingPointOptions::make_fast() {
  flush_subnormals = approximate_functions = true;
  precise_division = precise_roots = false;
}

std::vector<std::string> device_words(const FloatingPointOptions& options) {
  std::vector<std::string> words;
  const auto add = [&](std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  // clang knows subnormals of its own operations; instructions that the headers name follow the macro.
  if (options.flush_subnormals) add({"-fgpu-flush-denormals-to-zero", "-DWARPFORK_FLUSH_SUBNORMALS"});
  // div.approx, or as nvcc alone div.full
  if (!options.precise_division)
    add({"-mllvm", options.approximate_functions ? "-nvptx-prec-divf32=0" : "-nvptx-prec-divf32=1"});
  if (!options.precise_roots) add({"-DWARPFORK_APPROXIMATE_ROOTS"});
  if (!options.fuse) add({"-ffp-contract=off"});
  if (options.approximate_functions) add({"-fcuda-approx-transcendentals"});
  return words;
}

}  // namespace warpfork::compiler
