#include "compiler/signed_bit_fields.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::string_view kField = "bfe.u64";

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// What stands for the line, if it is such a field.
std::optional<std::string> replacement(std::string_view line) {
  const auto at = line.find(kField);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + kField.size());
  const std::string_view to = take_operand(rest), from = take_operand(rest);
  const auto start = number(take_operand(rest)), length = number(take_operand(rest));
  if (!start || !length || *start > 63 || *length > 63 || *start + *length <= 64) return std::nullopt;
  const std::string_view before = line.substr(0, at);
  return fmt::format("{0}shr.s64 \t{1}, {2}, {3};\n{0}and.b64 \t{1}, {1}, {4};", before, to, from, *start,
                     (std::uint64_t{1} << *length) - 1);
}

}  // namespace

std::string with_signed_bit_fields(std::string_view ptx) { return each_line_of_compiler(ptx, replacement); }

}  // namespace warpfork::compiler
