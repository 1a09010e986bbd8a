#include "compiler/wide_rotations.h"

#include <fmt/format.h>

#include <optional>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

/// The registers that clang declares for a rotation by a variable amount (NVPTXInstrInfo.td, ROTL64reg_sw and
/// ROTR64reg_sw): one part of the result, and 64 - amount, which has the amount itself here before.
constexpr std::string_view kPart = "%lhs", kAmount = "%amt2";

/// What stands for the line, if it is the first shift of a rotation or makes the other one's amount.
std::optional<std::string> masked(std::string_view line) {
  auto [before, name, rest] = instruction_line(line);
  const std::string_view to = take_operand(rest), from = take_operand(rest), amount = take_operand(rest);
  if ((name == "shl.b64" || name == "shr.b64") && to == kPart && amount.starts_with('%'))
    return fmt::format("{0}and.b32 \t{4}, {3}, 63;\n{0}{1} \t{5}, {2}, {4};", before, name, from, amount, kAmount,
                       kPart);
  if (name == "sub.u32" && to == kAmount && from == "64")
    return fmt::format("{0}sub.u32 \t{1}, 64, {1};", before, kAmount);
  return std::nullopt;
}

}  // namespace

std::string with_masked_rotations(std::string_view ptx) { return each_line_of_compiler(ptx, masked); }

}  // namespace warpfork::compiler
