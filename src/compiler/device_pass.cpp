#include "compiler/device_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "compiler/addresses_in_variables.h"
#include "compiler/anonymous_variables.h"
#include "compiler/back_end.h"
#include "compiler/contraction.h"
#include "compiler/device_code.h"
#include "compiler/dynamic_memory.h"
#include "compiler/entry_directives.h"
#include "compiler/literal_percents.h"
#include "compiler/narrow_conversions.h"
#include "compiler/signed_bit_fields.h"
#include "compiler/source_lines.h"
#include "compiler/static_variables.h"
#include "compiler/wide_integers.h"
#include "compiler/wide_rotations.h"
#include "compiler/wide_shifts.h"
#include "compiler/words.h"
#include "config/text_file.h"
#include "process/output_file.h"
#include "ptx/register_limit.h"

namespace warpfork::compiler {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

constexpr int kInternalError = 70;             // of clang: its exit status
constexpr unsigned kFirstWithWideShifts = 19;  // clang whose shifts of sign-extended values are right
/// Where Debian's libclc packages put their NVPTX library.
constexpr std::array kMathLibraries{"/usr/lib/clc/nvptx64--nvidiacl.bc", "/usr/share/clc/nvptx64--nvidiacl.bc"};

fs::path find_math_library() {
  for (const char* path : kMathLibraries)
    if (fs::exists(path)) return path;
  return {};
}

/// For what is preprocessed already.
Words without_definitions(const Words& words) {
  Words rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-include" || words[i] == "-D")
      ++i;
    else if (!words[i].starts_with("-D"))
      rest.push_back(words[i]);
  }
  return rest;
}

}  // namespace

DevicePass::DevicePass(const CompileOptions& options, Clang& clang)
    : options_(options), clang_(clang), math_(find_math_library()) {}

Words DevicePass::architecture_words() const {
  if (architecture(options_) == clangs_architecture(options_)) return {};
  return {"-U__CUDA_ARCH__", fmt::format("-D__CUDA_ARCH__={}0", architecture(options_))};
}

int DevicePass::compile(Words words, const Source& source, const fs::path& ptx, const fs::path& errors) {
  append(words, {"--cuda-device-only", "-gline-directives-only"});
  append(words, back_end_words(options_, clang_.version()));
  append(words, architecture_words());
  // With markers clang 14 turns a break or return out of a loop into a flag variable: other control flow than
  // written.
  append(words, {"-Xclang", "-disable-lifetime-markers"});
  if (!math_.empty())
    append(words, {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", math_.string(), "-Wno-linker-warnings"});
  words.push_back(source.path.string());
  const int status = write_complete_ptx(words, ptx, errors);
  if (status == 0) process::write_text(ptx, mended(config::read_text(ptx), source));
  return status;
}

void DevicePass::tell_of_other_libclc(const std::string& said) {
  if (!math_.empty() && said.find(fmt::format("cannot open file '{}'", math_.string())) != std::string::npos)
    fmt::print(stderr, "warpfork cc: note: {} is of another clang's libclc: apt install libclc-{}\n", math_.string(),
               clang_.version());
}

/// Once more, with what libclc calls, if it calls anything.
int DevicePass::write_complete_ptx(const Words& words, const fs::path& ptx, const fs::path& errors) {
  if (const int status = write_ptx_of_source(words, ptx, errors); status != 0 || math_.empty()) return status;
  if (std::ranges::none_of(missing_functions(config::read_text(ptx)), is_of_libdevice)) return 0;
  Words with_calls = words;
  with_calls.insert(with_calls.end() - 1, "-DWARPFORK_LIBCLC_CALLS");
  return write_ptx_of_source(with_calls, ptx, errors);
}

/// Of a source, the last of the words; preprocessed, if clang does not understand its inline assembly otherwise.
int DevicePass::write_ptx_of_source(Words words, const fs::path& ptx, const fs::path& errors) {
  const int status = write_ptx(words, ptx, errors);
  const std::string said = status == 0 ? "" : config::read_text(errors);
  if (!has_refused_percents(said)) return status;
  const fs::path text = fs::path(ptx).replace_extension(".cui");
  Words preprocessing = words;
  append(preprocessing, {"-E", "-o", text.string()});
  if (const int end = clang_.run(preprocessing, errors); end != 0) return end;
  process::write_text(text, with_literal_percents(config::read_text(text)));
  words.back() = text.string();
  return write_ptx(without_definitions(words), ptx, errors);
}

/// By way of LLVM's text, which is mended before it is optimized.
int DevicePass::write_ptx(const Words& words, const fs::path& ptx, const fs::path& errors) {
  const fs::path llvm = fs::path(ptx).replace_extension(".ll"), said = fs::path(ptx).replace_extension(".said");
  if (const int status = write_llvm(words, llvm, errors); status != 0) return status;
  int status = write_ptx_of_llvm(llvm, ptx, said);
  if (status == kInternalError && write_llvm_with_wide_calls(words, llvm)) status = write_ptx_of_llvm(llvm, ptx, said);
  process::write_text(errors, config::read_text(errors) + config::read_text(said));
  return status;
}

int DevicePass::write_llvm(Words words, const fs::path& llvm, const fs::path& errors) {
  append(words, {"-emit-llvm", "-Xclang", "-disable-llvm-passes", kDefinedConversions, "-o", llvm.string()});
  if (const int status = clang_.run(words, errors); status != 0) return status;
  std::string text = with_addresses_in_arrays(with_wide_conversions(config::read_text(llvm)));
  managed_ = managed_names(text);
  // In relocatable code another file's may have the same name.
  if (clang_.version() < kFirstWithAnonymous && !options_.relocatable) text = with_anonymous_variables(text);
  process::write_text(llvm, fuses(options_) ? with_contraction(text) : text);
  return 0;
}

/// With what clang has no code for put into it; false if there is nothing of that kind, or if it fails.
bool DevicePass::write_llvm_with_wide_calls(Words words, const fs::path& llvm) {
  for (const char* header : kWideIntegerHeaders) append(words, {"-include", header});
  if (write_llvm(words, llvm, fs::path(llvm).replace_extension(".again")) != 0) return false;
  const std::optional<std::string> text = with_wide_integer_calls(config::read_text(llvm));
  if (text) process::write_text(llvm, *text);
  return text.has_value();
}

int DevicePass::write_ptx_of_llvm(const fs::path& llvm, const fs::path& ptx, const fs::path& errors) {
  Words words{clang_.path(), "-x", "ir"};
  append(words, back_end_words_for_llvm(options_, clang_.version()));
  append(words, {llvm.string(), "-o", ptx.string()});
  return clang_.run(words, errors);
}

std::string DevicePass::mended(std::string text, const Source& source) const {
  text = with_managed_attributes(text, managed_);
  for (const auto mend :
       {with_signed_bit_fields, with_masked_rotations, with_aligned_dynamic_memory, without_line_zero})
    text = mend(text);
  if (clang_.version() < kFirstWithWideShifts) text = with_wide_shifts(text);
  if (options_.relocatable) text = with_static_names(text);
  require_complete(text, source.path.string(), !math_.empty(), options_.relocatable);
  text = with_limits_of_kernels(text);
  if (options_.maximum_registers != 0) text = ptx::with_register_limit(text, options_.maximum_registers);
  if (architecture(options_) != clangs_architecture(options_)) text = with_target(text, architecture(options_));
  return text;
}

}  // namespace warpfork::compiler
