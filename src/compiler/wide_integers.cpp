#include "compiler/wide_integers.h"

#include <fmt/format.h>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

struct Division {
  std::string_view instruction, function;
};

struct WideConversion {
  std::string_view instruction;
  char sign;  // of the integer: u or s
  bool from_integer;
};

constexpr std::array kDivisions{Division{" = udiv ", "__warpfork_udiv128"}, Division{" = urem ", "__warpfork_urem128"},
                                Division{" = sdiv ", "__warpfork_sdiv128"}, Division{" = srem ", "__warpfork_srem128"}};
constexpr std::array kConversions{WideConversion{" = uitofp ", 'u', true}, WideConversion{" = sitofp ", 's', true},
                                  WideConversion{" = fptoui ", 'u', false}, WideConversion{" = fptosi ", 's', false}};
constexpr std::string_view kExact = "exact ", kWideType = "i128 ", kTo = " to ";

/// `%3 = udiv i128 %1, %2, !dbg !5`
std::optional<std::string> division_call(std::string_view line) {
  for (const Division& division : kDivisions) {
    const auto at = line.find(division.instruction);
    if (at == std::string_view::npos) continue;
    std::string_view rest = line.substr(at + division.instruction.size());
    if (rest.starts_with(kExact)) rest.remove_prefix(kExact.size());
    if (!rest.starts_with(kWideType)) continue;
    rest.remove_prefix(kWideType.size());
    const std::string_view dividend = take_operand(rest), divisor = take_operand(rest);
    return fmt::format("{} = call i128 @{}(i128 {}, i128 {}){}{}", line.substr(0, at), division.function, dividend,
                       divisor, rest.empty() ? "" : ",", rest);
  }
  return std::nullopt;
}

/// `%3 = uitofp i128 %1 to double, !dbg !5`; nothing if none of the types has 128 bits.
std::optional<std::string> conversion_call(std::string_view line) {
  for (const WideConversion& conversion : kConversions) {
    const auto at = line.find(conversion.instruction);
    if (at == std::string_view::npos) continue;
    std::string_view rest = line.substr(at + conversion.instruction.size());
    const std::string_view operand = take_operand(rest);
    const auto to = operand.find(kTo);
    if (to == std::string_view::npos) continue;
    const std::string_view type = operand.substr(to + kTo.size()), from = operand.substr(0, operand.find(' '));
    if ((conversion.from_integer ? from : type) != "i128") continue;
    const std::string function = conversion.from_integer ? fmt::format("{}_from_{}128", type, conversion.sign)
                                                         : fmt::format("{}128_from_{}", conversion.sign, from);
    return fmt::format("{} = call {} @__warpfork_{}({}){}{}", line.substr(0, at), type, function, operand.substr(0, to),
                       rest.empty() ? "" : ",", rest);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> with_wide_integer_calls(std::string_view llvm) {
  bool has_any = false;
  std::string text = each_line(llvm, [&](std::string_view line) {
    std::optional<std::string> call = division_call(line);
    if (!call) call = conversion_call(line);
    has_any |= call.has_value();
    return call.value_or(std::string(line));
  });
  if (!has_any) return std::nullopt;
  return text;
}

}  // namespace warpfork::compiler
