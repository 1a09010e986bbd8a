#include "compiler/nvcc_options.h"

#include <algorithm>
#include <iterator>

namespace warpfork::compiler {

namespace {

constexpr NvccOption kNvccOptions[] = {
#define NVCC_NAME(other, name, has_value) {other, {}, NvccEffect::Renamed, has_value, name},
#define NVCC_IDLE(name, other, has_value) {name, other, NvccEffect::Idle, has_value, {}},
#define NVCC_SILENT(name, other, has_value, text) {name, other, NvccEffect::Silent, has_value, text},
#define NVCC_REFUSED(name, other, text) {name, other, NvccEffect::Refused, false, text},
#include "compiler/nvcc_options.def"
#undef NVCC_NAME
#undef NVCC_IDLE
#undef NVCC_SILENT
#undef NVCC_REFUSED
};

}  // namespace

const NvccOption* find_nvcc_option(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kNvccOptions), std::end(kNvccOptions), [&](const NvccOption& option) {
        const bool is_known_so = option.effect == NvccEffect::Renamed && option.text == name;
        return option.name == name || is_known_so || (!option.other_name.empty() && option.other_name == name);
      });
  return found == std::end(kNvccOptions) ? nullptr : found;
}

std::string with_nvccs_dashes(std::string_view name) {
  if (name.starts_with("--")) {
    const std::string_view other = name.substr(1);
    return find_nvcc_option(other) == nullptr ? "" : std::string(other);
  }
  const std::string other = "-" + std::string(name);
  const NvccOption* const option = find_nvcc_option(other);
  return option == nullptr || option->text == name ? "" : other;
}

}  // namespace warpfork::compiler
