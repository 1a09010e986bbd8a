#include "compiler/narrow_conversions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::string_view kIntrinsic = "@llvm.fpto", kSaturating = "i.sat.";

/// %to = fptoui from_type from to to_type, or the call in its place; types also <4 x float>.
struct Conversion {
  std::string_view to, from_type, from, to_type, rest;  // rest: ", !dbg !3"
  char sign;                                            // u or s
  std::string_view from_name = {};                      // of a call alone: f32
};

/// Takes all before `end`, and `end`, off the text; nothing if it is not in there.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view end) {
  const auto at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return taken;
}

/// The type at the beginning of "float %1" or "<4 x float> %1", and the blank behind it, off the text.
std::string_view take_type(std::string_view& text) {
  const auto end = text.find(' ', text.starts_with('<') ? text.find('>') : 0);
  const std::string_view type = text.substr(0, end);
  text.remove_prefix(std::min(type.size() + 1, text.size()));
  return type;
}

/// float %1 to i8, !dbg !3
std::optional<Conversion> instruction(std::string_view to, std::string_view text) {
  constexpr std::string_view kName = "fpto";
  if (!text.starts_with(kName) || text.size() < kName.size() + 3) return std::nullopt;
  const char sign = text[kName.size()];
  text.remove_prefix(kName.size() + 3);
  const std::string_view type = take_type(text);
  const auto from = take_until(text, " to ");
  if (!from) return std::nullopt;
  const std::string_view to_type = text.substr(0, text.find(','));
  return Conversion{to, type, *from, to_type, text.substr(to_type.size()), sign};
}

/// tail call i8 @llvm.fptoui.sat.i8.f32(float %1) #4, !dbg !3
std::optional<Conversion> call(std::string_view to, std::string_view text) {
  const auto before = take_until(text, "call ");
  const std::string_view to_type = take_type(text);
  if (!before || !text.starts_with(kIntrinsic) || text.substr(kIntrinsic.size() + 1, kSaturating.size()) != kSaturating)
    return std::nullopt;
  const char sign = text[kIntrinsic.size()];
  const auto function = take_until(text, "(");
  if (!function) return std::nullopt;
  const std::string_view type = take_type(text);
  const auto from = take_until(text, ")");
  if (!from) return std::nullopt;
  return Conversion{to,
                    type,
                    *from,
                    to_type,
                    text.substr(std::min(text.find(','), text.size())),
                    sign,
                    function->substr(function->rfind('.') + 1)};
}

std::optional<Conversion> conversion(std::string_view line) {
  const auto to = take_until(line, " = ");
  if (!to) return std::nullopt;
  return line.starts_with("fpto") ? instruction(*to, line) : call(*to, line);
}

unsigned bits(std::string_view type) {
  type.remove_prefix(std::min(type.rfind('i') + 1, type.size()));
  unsigned value = 0;
  std::from_chars(type.data(), type.data() + type.size(), value);
  return value;
}

/// i32 of i8, <4 x i32> of <4 x i8>
std::string of_32_bits(std::string_view type) {
  return fmt::format("{}i32{}", type.substr(0, type.rfind('i')), type.ends_with('>') ? ">" : "");
}

/// The text that is being changed.
class Conversions {
 public:
  std::string line(std::string_view line) {
    const auto found = conversion(line);
    if (!found) return std::string(line);
    if (bits(found->to_type) < 32) return narrow(*found);
    if (found->from_name.empty() || is_literal(*found)) return std::string(line);
    return instruction_of(*found, found->to, found->to_type);
  }

  /// Of the functions that the changed text calls and `llvm` does not.
  std::string missing_declarations(std::string_view llvm) const {
    std::string text;
    for (const std::string& declaration : called_)
      if (llvm.find(declaration) == std::string_view::npos) text += declaration + "\n";
    return text;
  }

 private:
  static bool is_literal(const Conversion& conversion) {
    return !conversion.from_name.empty() && !conversion.from.starts_with('%') && !conversion.from_type.starts_with('<');
  }

  static std::string instruction_of(const Conversion& conversion, std::string_view to, std::string_view to_type) {
    return fmt::format("{} = fpto{}i {} {} to {}{}", to, conversion.sign, conversion.from_type, conversion.from,
                       to_type, conversion.rest);
  }

  /// Frozen, as what inlining makes a number that 32 bits do not hold, either, is not to spread as undefined.
  std::string narrow(const Conversion& conversion) {
    const std::string type = of_32_bits(conversion.to_type);
    const std::string wide = fmt::format("%warpfork.wide{}", ++count_), frozen = fmt::format("%warpfork.set{}", count_);
    const std::string converted =
        is_literal(conversion) ? saturated(conversion, wide) : instruction_of(conversion, wide, type);
    return fmt::format("  {0}\n  {1} = freeze {2} {3}{6}\n{4} = trunc {2} {1} to {5}{6}", converted, frozen, type, wide,
                       conversion.to, conversion.to_type, conversion.rest);
  }

  std::string saturated(const Conversion& conversion, std::string_view to) {
    const std::string_view type = conversion.from_type;
    const std::string function =
        fmt::format("{}{}{}i32.{}", kIntrinsic, conversion.sign, kSaturating, conversion.from_name);
    called_.insert(fmt::format("declare i32 {}({})", function, type));
    return fmt::format("{} = call i32 {}({} {}){}", to, function, type, conversion.from, conversion.rest);
  }

  std::set<std::string> called_;
  unsigned count_ = 0;
};

}  // namespace

std::string with_wide_conversions(std::string_view llvm) {
  Conversions conversions;
  const std::string text = each_line(llvm, [&](std::string_view line) { return conversions.line(line); });
  return text + conversions.missing_declarations(llvm);
}

}  // namespace warpfork::compiler
