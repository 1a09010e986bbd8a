// Operands of video instructions: which parts of registers, and how results are put together (PTX ISA, "Video
// Instructions").
#include <fmt/format.h>

#include <bit>
#include <string>

#include "simt/decode_operands.h"
#include "simt/lanes/video_mode.h"

namespace warpfork::simt::decode_operands {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

const ptx::RegisterOperand* as_register(const ptx::Operand& operand) { return operand.as<ptx::RegisterOperand>(); }

/// As written, without the dot: "b3", "h10"; empty where none is.
std::string selector_of(const ptx::Operand& operand) {
  const auto* used = as_register(operand);
  return used != nullptr && used->selector != 0 ? ptx::selector_text(used->selector) : "";
}

bool is_negated(const ptx::Operand& operand) {
  const auto* used = as_register(operand);
  return used != nullptr && used->negated;
}

/// Comparisons have no type of the result, which is unsigned.
bool compares(const ptx::Instruction& source) {
  return source.opcode == Opcode::Vset || source.opcode == Opcode::Vset2 || source.opcode == Opcode::Vset4;
}

std::uint16_t flags_of(const ptx::Instruction& source, const DecodeContext& context) {
  const std::size_t first = compares(source) ? 0 : 1;  // type of a source
  if (source.types.size() != first + 2) context.unsupported(source);
  for (const ScalarType type : source.types)
    if (type != ScalarType::U32 && type != ScalarType::S32) context.unsupported(source);
  unsigned flags = 0;
  const auto set = [&](bool holds, std::uint16_t flag) { flags |= holds ? flag : 0u; };
  set(ptx::is_signed(source.types[first]), VideoFlags::kSignedA);
  set(ptx::is_signed(source.types[first + 1]), VideoFlags::kSignedB);
  set(first == 1 && ptx::is_signed(source.types[0]), VideoFlags::kSignedResult);
  set(source.has(Modifier::Sat), VideoFlags::kSaturates);
  set(source.has(Modifier::Add), VideoFlags::kAdds);
  set(source.has(Modifier::Min), VideoFlags::kMinimum);
  set(source.has(Modifier::Max), VideoFlags::kMaximum);
  set(source.has(Modifier::Po), VideoFlags::kPlusOne);
  set(source.has(Modifier::Shr7), VideoFlags::kShiftsBy7);
  set(source.has(Modifier::Shr15), VideoFlags::kShiftsBy15);
  return static_cast<std::uint16_t>(flags);
}

/// Rows of the operands; the third source may be missing and has no selector.
void rows(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 3, 4);
  decoded.operand[0] = context.operands.destination(source.operands[0], ScalarType::U32);
  for (std::size_t i = 1; i < source.operands.size(); ++i)
    decoded.operand[i] = context.operands.source(source.operands[i], ScalarType::U32);
  if (source.operands.size() == 3) decoded.operand[3] = decoded.operand[1];
  if (source.operands.size() == 4 && !selector_of(source.operands[3]).empty())
    context.operands.fail("the third source is a whole register");
}

/// Where the byte or half that the operand speaks of begins, and its bits; of no selector the whole.
void part(const ptx::Operand& operand, const DecodeContext& context, std::uint8_t& shift, std::uint8_t& bits) {
  const std::string selector = selector_of(operand);
  if (selector.empty()) return;
  bits = selector[0] == 'b' ? 8 : 16;
  const auto index = static_cast<unsigned>(selector[1] - '0');
  if (selector.size() != 2 || index >= 32u / bits)
    context.operands.fail(fmt::format("'.{}' is no part of a register: allowed are .b0 to .b3, .h0 and .h1", selector));
  shift = static_cast<std::uint8_t>(index * bits);
}

ScalarVideoMode scalar_mode(const ptx::Instruction& source, const DecodeContext& context) {
  ScalarVideoMode mode;
  mode.flags = flags_of(source, context);
  part(source.operands[0], context, mode.result_shift, mode.result_bits);
  part(source.operands[1], context, mode.a_shift, mode.a_bits);
  part(source.operands[2], context, mode.b_shift, mode.b_bits);
  return mode;
}

/// How operands of pairs and quads are written.
struct Parts {
  char letter;
  unsigned count;
  std::string own, other;  // selectors of a and b where none are written

  static Parts of(Opcode opcode) {
    return opcode <= Opcode::Vset2 ? Parts{'h', 2, "h10", "h32"} : Parts{'b', 4, "b3210", "b7654"};
  }
};

/// Three bits for each digit, the last one lowest.
std::uint16_t chosen(const ptx::Operand& operand, const Parts& parts, const std::string& otherwise,
                     const DecodeContext& context) {
  const std::string written = selector_of(operand), selector = written.empty() ? otherwise : written;
  bool is_right = selector[0] == parts.letter && selector.size() == parts.count + 1;
  unsigned digits = 0;
  for (const char digit : selector.substr(1)) {
    is_right = is_right && digit < static_cast<char>('0' + 2 * parts.count);
    digits = digits << SimdVideoMode::kPartBits | static_cast<unsigned>(digit - '0');
  }
  if (!is_right)
    context.operands.fail(
        fmt::format("'.{}' does not choose parts of both sources: allowed are .{} and {} digits 0 to {}", selector,
                    parts.letter, parts.count, 2 * parts.count - 1));
  return static_cast<std::uint16_t>(digits);
}

/// A bit for each digit; they descend.
std::uint16_t written_parts(const ptx::Operand& operand, const Parts& parts, const DecodeContext& context) {
  const std::string selector = selector_of(operand);
  if (selector.empty()) return static_cast<std::uint16_t>((1u << parts.count) - 1);
  bool is_right = selector[0] == parts.letter;
  unsigned mask = 0;
  unsigned above = parts.count;
  for (const char character : selector.substr(1)) {
    const auto digit = static_cast<unsigned>(character - '0');
    is_right = is_right && digit < above;
    above = digit;
    mask |= 1u << digit;
  }
  if (!is_right)
    context.operands.fail(
        fmt::format("'.{}' names no parts of the result: allowed are .{} and digits that descend from {}", selector,
                    parts.letter, parts.count - 1));
  return static_cast<std::uint16_t>(mask);
}

}  // namespace

void scalar_video(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  rows(source, context, decoded);
  const ScalarVideoMode mode = scalar_mode(source, context);
  const bool merges = mode.result_bits != 32;
  const bool combines = source.has(Modifier::Add) || source.has(Modifier::Min) || source.has(Modifier::Max);
  if (merges && combines) context.operands.fail("a part of the result and .add, .min or .max exclude each other");
  if ((merges || combines) != (source.operands.size() == 4))
    context.operands.fail("a third source and .add, .min, .max or a part of the result belong together");
  if ((source.opcode == Opcode::Vshl || source.opcode == Opcode::Vshr) && ptx::is_signed(source.types[2]))
    context.unsupported(source);
  decoded.immediate = std::bit_cast<std::uint64_t>(mode);
  context.select({.instruction = source}, decoded);
}

void multiply_video(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  rows(source, context, decoded);
  ScalarVideoMode mode = scalar_mode(source, context);
  if (mode.result_bits != 32) context.operands.fail("the result is a whole register");
  const bool a = is_negated(source.operands[1]), b = is_negated(source.operands[2]), c = is_negated(source.operands[3]);
  if ((a || b || c) && source.has(Modifier::Po)) context.operands.fail("'.po' and a negated source exclude each other");
  if (a != b && c) context.operands.fail("either the product or the third source is negated, not both");
  unsigned flags = mode.flags & ~unsigned{VideoFlags::kSignedResult};
  if (a != b) flags |= VideoFlags::kNegatesProduct;
  if (c) flags |= VideoFlags::kNegatesThird;
  constexpr unsigned kMakeSigned =
      VideoFlags::kSignedA | VideoFlags::kSignedB | VideoFlags::kNegatesProduct | VideoFlags::kNegatesThird;
  if ((flags & kMakeSigned) != 0) flags |= VideoFlags::kSignedResult;
  mode.flags = static_cast<std::uint16_t>(flags);
  decoded.immediate = std::bit_cast<std::uint64_t>(mode);
  context.select({.instruction = source}, decoded);
}

void simd_video(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  rows(source, context, decoded);
  const Parts parts = Parts::of(source.opcode);
  SimdVideoMode mode;
  mode.flags = flags_of(source, context);
  mode.a = chosen(source.operands[1], parts, parts.own, context);
  mode.b = chosen(source.operands[2], parts, parts.other, context);
  mode.written = written_parts(source.operands[0], parts, context);
  decoded.immediate = std::bit_cast<std::uint64_t>(mode);
  context.select({.instruction = source}, decoded);
}

}  // namespace warpfork::simt::decode_operands
