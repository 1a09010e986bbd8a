// Options of nvcc that clang does not have, or has by another name (nvcc_options.def).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpfork::compiler {

enum class NvccEffect : std::uint8_t {
  Renamed,  // another name of the option `text`
  Idle,     // makes no difference
  Silent,   // results are the same; `text` is what nvcc does and warpfork does not
  Refused,  // `text` says why
};

struct NvccOption {
  std::string_view name, other_name;
  NvccEffect effect;
  bool has_value;
  std::string_view text;
};

/// Null for a word that is none of them, and none by which warpfork knows one; `name` is the word without "=value".
const NvccOption* find_nvcc_option(std::string_view name);

/// How nvcc writes the option if `name` is one of its names but for the dashes: long names have two, short ones one.
/// Empty if it is none.
std::string with_nvccs_dashes(std::string_view name);

}  // namespace warpfork::compiler
