// PTX ISA, "Video Instructions": "Scalar Video Instructions" and "SIMD Video Instructions".
#include <algorithm>
#include <string>
#include <vector>

#include "reference/exact_integer.h"
#include "reference/execute.h"

namespace warpfork::reference {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

constexpr Int kWord = Int{1} << 32;

/// The selector behind an operand, "b3" or "h10"; `otherwise` where none is written.
std::string selector(const Thread& thread, std::size_t index, const std::string& otherwise) {
  const auto* used = thread.operand(index).as<ptx::RegisterOperand>();
  return used == nullptr || used->selector == 0 ? otherwise : ptx::selector_text(used->selector);
}

bool negated(const Thread& thread, std::size_t index) {
  const auto* used = thread.operand(index).as<ptx::RegisterOperand>();
  return used != nullptr && used->negated;
}

/// The bits of a source, whatever stands before or behind it.
std::uint64_t word(const Thread& thread, std::size_t index) {
  ptx::Operand operand = thread.operand(index);
  if (auto* used = std::get_if<ptx::RegisterOperand>(&operand)) used->negated = false;
  return thread.read(operand, ScalarType::U32);
}

/// Bytes from the lowest up, those of a and, behind them, of b.
std::vector<std::uint64_t> bytes_of(const Thread& thread, std::initializer_list<std::size_t> operands) {
  std::vector<std::uint64_t> bytes;
  for (const std::size_t index : operands)
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(truncate(word(thread, index) >> (8 * i), 8));
  return bytes;
}

/// The byte or half of that number.
Int element(const std::vector<std::uint64_t>& bytes, char kind, char digit, bool is_signed) {
  const auto number = static_cast<std::size_t>(digit - '0');
  if (kind == 'b') return is_signed ? Int{sign_extend(bytes.at(number), 8)} : Int{bytes.at(number)};
  const std::uint64_t half = bytes.at(2 * number) + 256 * bytes.at(2 * number + 1);
  return is_signed ? Int{sign_extend(half, 16)} : Int{half};
}

/// vset and its like have no type of the result, which is unsigned.
bool is_comparison(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::Vset || instruction.opcode == Opcode::Vset2 ||
         instruction.opcode == Opcode::Vset4;
}

bool signed_source(const Thread& thread, std::size_t index) {
  const ptx::Instruction& instruction = thread.instruction();
  return ptx::is_signed(instruction.types.at(is_comparison(instruction) ? index - 1 : index));
}
bool signed_result(const Thread& thread) {
  return !is_comparison(thread.instruction()) && ptx::is_signed(thread.instruction().types.at(0));
}

/// A source of a scalar instruction.
Int scalar_source(const Thread& thread, std::size_t index) {
  const std::string part = selector(thread, index, "");
  const bool is_signed = signed_source(thread, index);
  if (part.empty()) return number(word(thread, index), is_signed ? ScalarType::S32 : ScalarType::U32);
  return element(bytes_of(thread, {index}), part[0], part[1], is_signed);
}

bool is_related(const ptx::Instruction& instruction, Int a, Int b) {
  if (instruction.has(Modifier::Eq)) return a == b;
  if (instruction.has(Modifier::Ne)) return a != b;
  if (instruction.has(Modifier::Lt)) return a < b;
  if (instruction.has(Modifier::Le)) return a <= b;
  return instruction.has(Modifier::Gt) ? a > b : a >= b;
}

/// A power of two by which a shift multiplies or divides.
Int power(const ptx::Instruction& instruction, Int amount) {
  return Int{1} << static_cast<int>(instruction.has(Modifier::Wrap) ? amount % 32 : std::min<Int>(amount, 32));
}

Int floor_quotient(Int value, Int by) { return (value - ((value % by) + by) % by) / by; }

Int primary(const ptx::Instruction& instruction, Int a, Int b) {
  switch (instruction.opcode) {
    case Opcode::Vadd:
    case Opcode::Vadd2:
    case Opcode::Vadd4:
      return a + b;
    case Opcode::Vsub:
    case Opcode::Vsub2:
    case Opcode::Vsub4:
      return a - b;
    case Opcode::Vabsdiff:
    case Opcode::Vabsdiff2:
    case Opcode::Vabsdiff4:
      return std::max(a, b) - std::min(a, b);
    case Opcode::Vmin:
    case Opcode::Vmin2:
    case Opcode::Vmin4:
      return std::min(a, b);
    case Opcode::Vmax:
    case Opcode::Vmax2:
    case Opcode::Vmax4:
      return std::max(a, b);
    case Opcode::Vavrg2:
    case Opcode::Vavrg4:
      return floor_quotient(a + b >= 0 ? a + b + 1 : a + b, 2);
    case Opcode::Vshl:
      return a * power(instruction, b);
    case Opcode::Vshr:
      return floor_quotient(a, power(instruction, b));
    default:
      return is_related(instruction, a, b) ? 1 : 0;
  }
}

Int saturated(const Thread& thread, Int value, unsigned bits, bool is_signed) {
  if (!thread.instruction().has(Modifier::Sat)) return value;
  const Int range = Int{1} << bits;
  return is_signed ? std::clamp<Int>(value, -range / 2, range / 2 - 1) : std::clamp<Int>(value, 0, range - 1);
}

/// The lowest bits.
std::uint64_t wrapped(Int value, Int range) { return static_cast<std::uint64_t>(((value % range) + range) % range); }

void scalar(Thread& thread) {
  const ptx::Instruction& instruction = thread.instruction();
  const std::string part = selector(thread, 0, "");
  const unsigned bits = part.empty() ? 32 : part[0] == 'b' ? 8 : 16;
  Int result = primary(instruction, scalar_source(thread, 1), scalar_source(thread, 2));
  result = saturated(thread, result, bits, signed_result(thread));
  if (thread.has_operand(3)) {
    const Int third = number(word(thread, 3), signed_result(thread) ? ScalarType::S32 : ScalarType::U32);
    if (instruction.has(Modifier::Add)) result += third;
    if (instruction.has(Modifier::Min)) result = std::min(result, third);
    if (instruction.has(Modifier::Max)) result = std::max(result, third);
  }
  std::uint64_t written = wrapped(result, Int{1} << bits);
  if (!part.empty()) {
    const unsigned shift = static_cast<unsigned>(part[1] - '0') * bits;
    const std::uint64_t hole = truncate(~std::uint64_t{0}, bits) << shift;
    written = (word(thread, 3) & ~hole) | written << shift;
  }
  thread.write(0, written, ScalarType::U32);
}

/// vmad: its intermediate and final results are signed as the ISA's table of combinations says; the first type is not
/// asked.
void multiply_parts(Thread& thread) {
  const ptx::Instruction& instruction = thread.instruction();
  const bool minus_product = negated(thread, 1) != negated(thread, 2), minus_third = negated(thread, 3);
  const bool signed_product = signed_source(thread, 1) || signed_source(thread, 2) || minus_product;
  const Int product = scalar_source(thread, 1) * scalar_source(thread, 2);
  const Int third = number(word(thread, 3), signed_product ? ScalarType::S32 : ScalarType::U32);
  Int sum = (minus_product ? -product : product) + (minus_third ? -third : third);
  if (instruction.has(Modifier::Po)) sum += 1;
  if (instruction.has(Modifier::Shr7)) sum = floor_quotient(sum, 1 << 7);
  if (instruction.has(Modifier::Shr15)) sum = floor_quotient(sum, 1 << 15);
  thread.write(0, wrapped(saturated(thread, sum, 32, signed_product || minus_third), kWord), ScalarType::U32);
}

void simd(Thread& thread, char kind) {
  const ptx::Instruction& instruction = thread.instruction();
  const bool quads = kind == 'b';
  const unsigned bits = quads ? 8 : 16;
  const std::string a = selector(thread, 1, quads ? "b3210" : "h10"), b = selector(thread, 2, quads ? "b7654" : "h32");
  const std::string mask = selector(thread, 0, a.substr(0, 1) + (quads ? "3210" : "10"));
  const std::vector<std::uint64_t> bytes = bytes_of(thread, {1, 2});
  Int sum = word(thread, 3);
  std::uint64_t merged = word(thread, 3);
  for (unsigned i = 0; i < 32 / bits; ++i) {
    if (mask.find(static_cast<char>('0' + i)) == std::string::npos) continue;
    const std::size_t digit = a.size() - 1 - i;  // the last one is that of part 0
    const Int t = primary(instruction, element(bytes, kind, a.at(digit), signed_source(thread, 1)),
                          element(bytes, kind, b.at(digit), signed_source(thread, 2)));
    sum += t;
    const std::uint64_t hole = truncate(~std::uint64_t{0}, bits) << (bits * i);
    const Int part = saturated(thread, t, bits, signed_result(thread));
    merged = (merged & ~hole) | wrapped(part, Int{1} << bits) << (bits * i);
  }
  thread.write(0, instruction.has(Modifier::Add) ? wrapped(sum, kWord) : merged, ScalarType::U32);
}

}  // namespace

void execute_video(Thread& thread) {
  const Opcode opcode = thread.instruction().opcode;
  if (opcode == Opcode::Vmad) return multiply_parts(thread);
  if (opcode <= Opcode::Vset) return scalar(thread);
  simd(thread, opcode <= Opcode::Vset2 ? 'h' : 'b');
}

}  // namespace warpfork::reference
