#include "compiler/wide_shifts.h"

#include <fmt/format.h>

#include <optional>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

struct Product {
  std::string_view name, factor;  // as clang writes them (NVPTXInstrInfo.td, SHL2MUL32 and SHL2MUL16)
  unsigned bits;                  // of the value
};

constexpr Product kProducts[] = {{"mul.wide.s32", "-2147483648", 32}, {"mul.wide.s16", "-32768", 16}};

/// What stands for the line, if it is such a product.
std::optional<std::string> shifted(std::string_view line) {
  auto [before, name, rest] = instruction_line(line);
  const std::string_view to = take_operand(rest), from = take_operand(rest), factor = take_operand(rest);
  for (const Product& product : kProducts)
    if (name == product.name && factor == product.factor)
      return fmt::format("{0}cvt.s{2}.s{1} \t{3}, {4};\n{0}shl.b{2} \t{3}, {3}, {5};", before, product.bits,
                         2 * product.bits, to, from, product.bits - 1);
  return std::nullopt;
}

}  // namespace

std::string with_wide_shifts(std::string_view ptx) { return each_line_of_compiler(ptx, shifted); }

}  // namespace warpfork::compiler
