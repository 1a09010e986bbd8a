#include "compiler/dynamic_memory.h"

#include <charconv>
#include <optional>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::string_view kHead = ".extern .shared .align ", kAlignment = "16";

/// What stands for the line, if it is such an array with less.
std::optional<std::string> replacement(std::string_view line) {
  if (!line.starts_with(kHead)) return std::nullopt;
  const std::string_view rest = line.substr(kHead.size());
  unsigned alignment = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), alignment);
  if (error != std::errc() || alignment >= 16) return std::nullopt;
  return std::string(kHead).append(kAlignment).append(end, rest.data() + rest.size());
}

}  // namespace

std::string with_aligned_dynamic_memory(std::string_view ptx) { return each_line_of_compiler(ptx, replacement); }

}  // namespace warpfork::compiler
