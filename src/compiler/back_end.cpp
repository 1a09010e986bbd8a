#include "compiler/back_end.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/floating_point_options.h"
#include "compiler/words.h"

namespace warpfork::compiler {

namespace {

constexpr unsigned kOldestArchitecture = 30;  // before it clang has no votes: its back end crashes
constexpr unsigned kNewestArchitecture = 86;  // that clang 14 knows; what later ones add is in headers
constexpr unsigned kFirstWithFeatures = 17;   // clang whose driver takes a release of PTX
constexpr unsigned kFirstWithExits = 17;      // clang that writes an exit where nobody comes to
constexpr unsigned kFirstWithAlloca = 22;     // clang whose code of alloca() is tried; 19's has no stores
constexpr unsigned kOldestWithAlloca = 52;    // architecture for which it does

/// Shuffles and votes need PTX 6.3; alloca() 7.3, and a clang that knows it.
std::string ptx_release(const CompileOptions& options, unsigned clang_version) {
  const bool knows_alloca = clang_version >= kFirstWithAlloca && architecture(options) >= kOldestWithAlloca;
  return knows_alloca ? "+ptx73" : "+ptx63";
}

}  // namespace

unsigned architecture(const CompileOptions& options) { return static_cast<unsigned>(std::stoul(options.architecture)); }

unsigned clangs_architecture(const CompileOptions& options) {
  return std::clamp(architecture(options), kOldestArchitecture, kNewestArchitecture);
}

bool fuses(const CompileOptions& options) {
  const bool optimizes = !options.debug_device && options.optimization != "-O0";
  return optimizes && options.floating_point.fuse && std::ranges::none_of(options.common, [](auto& word) {
           return word.starts_with("-ffp-contract=") && word != "-ffp-contract=fast";
         });
}

std::vector<std::string> back_end_words(const CompileOptions& options, unsigned clang_version) {
  std::vector<std::string> words{"-S",
                                 options.debug_device ? "-O0" : options.optimization,
                                 "-fno-crash-diagnostics",
                                 "-Wno-pass-failed",
                                 "-Xclang",
                                 "-target-feature",
                                 "-Xclang",
                                 ptx_release(options, clang_version)};
  if (clang_version >= kFirstWithExits) append(words, {"-mllvm", "-trap-unreachable"});
  append(words, device_words(options.floating_point));
  return words;
}

std::vector<std::string> back_end_words_for_llvm(const CompileOptions& options, unsigned clang_version) {
  std::vector<std::string> words{"--target=nvptx64-nvidia-cuda",
                                 fmt::format("-march=sm_{}", clangs_architecture(options)),
                                 "-Wno-unused-command-line-argument"};
  append(words, back_end_words(options, clang_version));
  // Otherwise it takes the newest release of PTX that it knows.
  if (clang_version >= kFirstWithFeatures) words.push_back("--cuda-feature=" + ptx_release(options, clang_version));
  if (fuses(options)) append(words, {"-ffp-contract=fast", "-mllvm", "-nvptx-fma-level=2"});
  return words;
}

}  // namespace warpfork::compiler
