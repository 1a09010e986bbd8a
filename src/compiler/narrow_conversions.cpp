#include "compiler/narrow_conversions.h"

#include <fmt/format.h>

#include <optional>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

/// What stands for the line, if it is such a conversion.
std::optional<std::string> by_way_of_32_bits(std::string_view line) {
  const auto at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = line.substr(0, at);
  std::string_view rest = line.substr(at);
  for (const std::string_view flush : {"", ".ftz"})
    for (const char sign : {'u', 's'})
      for (const std::string_view type : {"f32", "f64"}) {
        const std::string name = fmt::format("cvt.rzi{}.{}16.{} ", flush, sign, type);
        if (!rest.starts_with(name)) continue;
        rest.remove_prefix(name.size());
        const std::string_view to = take_operand(rest), from = take_operand(rest);
        return fmt::format("{0}{{ .reg .b32 %wide; cvt.rzi{1}.{2}32.{3} %wide, {4}; cvt.u16.u32 {5}, %wide; }}", before,
                           flush, sign, type, from, to);
      }
  return std::nullopt;
}

}  // namespace

std::string with_wide_conversions(std::string_view ptx) { return each_line_of_compiler(ptx, by_way_of_32_bits); }

}  // namespace warpfork::compiler
