#include "compiler/wide_division.h"

#include <fmt/format.h>

#include <array>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

struct Division {
  std::string_view instruction, function;
};

constexpr std::array kDivisions{Division{" = udiv ", "__warpfork_udiv128"}, Division{" = urem ", "__warpfork_urem128"},
                                Division{" = sdiv ", "__warpfork_sdiv128"}, Division{" = srem ", "__warpfork_srem128"}};
constexpr std::string_view kExact = "exact ", kType = "i128 ";

/// `%3 = udiv i128 %1, %2, !dbg !5`
std::optional<std::string> as_call(std::string_view line) {
  for (const Division& division : kDivisions) {
    const auto at = line.find(division.instruction);
    if (at == std::string_view::npos) continue;
    std::string_view rest = line.substr(at + division.instruction.size());
    if (rest.starts_with(kExact)) rest.remove_prefix(kExact.size());
    if (!rest.starts_with(kType)) continue;
    rest.remove_prefix(kType.size());
    const std::string_view dividend = take_operand(rest), divisor = take_operand(rest);
    return fmt::format("{} = call i128 @{}(i128 {}, i128 {}){}{}", line.substr(0, at), division.function, dividend,
                       divisor, rest.empty() ? "" : ",", rest);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> with_division_calls(std::string_view llvm) {
  bool has_any = false;
  std::string text = each_line(llvm, [&](std::string_view line) {
    const std::optional<std::string> call = as_call(line);
    has_any |= call.has_value();
    return call.value_or(std::string(line));
  });
  if (!has_any) return std::nullopt;
  return text;
}

}  // namespace warpfork::compiler
