#include "random_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace warpfork::simt {
namespace {

constexpr std::array<std::uint32_t, 26> kWords{
    0,          1,          2,          31,         32,         33,         0xff,       0x7fff,     0x8000,
    0xffff,     0x10000,    0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x3f800000, 0xbf800000, 0x3f000000,
    0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x00800000, 0x00000007, 0x7f7fffff, 0x4f000000};
constexpr std::array<std::uint64_t, 18> kLongs{0,
                                               1,
                                               63,
                                               64,
                                               0xffffffff,
                                               0x100000000,
                                               0x7fffffffffffffff,
                                               0x8000000000000000,
                                               0xffffffffffffffff,
                                               0x3ff0000000000000,
                                               0xbff0000000000000,
                                               0x7ff0000000000000,
                                               0xfff0000000000000,
                                               0x7ff8000000000001,
                                               0x0010000000000000,
                                               0x000fffffffffffff,
                                               0x7fefffffffffffff,
                                               0x43e0000000000000};

template <typename List>
auto any_of(const List& list, Random& random) {
  return list[random() % list.size()];
}

std::string operand(char kind, Random& random) {
  const bool literal = random() % 5 == 0;
  switch (kind) {
    case 'r':
      return fmt::format("%r{}", random() % 8);
    case 'd':
      return fmt::format("%d{}", random() % 4);
    case 'h':
      return fmt::format("%h{}", random() % 4);
    case 'p':
      return fmt::format("%p{}", random() % 4);
    case 'R':
      return literal ? fmt::format("{:#x}", random_word(random)) : operand('r', random);
    case 'D':
      return literal ? fmt::format("{:#x}", random_long(random)) : operand('d', random);
    case 'H':
      return literal ? fmt::format("{}", random() % 32768) : operand('h', random);
    case 'F':
      return literal ? fmt::format("0f{:08X}", random_word(random)) : operand('r', random);
    case 'G':
      return literal ? fmt::format("0d{:016X}", random_long(random)) : operand('d', random);
    case 'q': {
      const std::uint64_t first = random() % 4;
      return fmt::format("%p{}|%p{}", first, (first + 1 + random() % 3) % 4);
    }
    case 'P':
      return fmt::format("{}%p{}", random() % 3 == 0 ? "!" : "", random() % 4);
    case 'i':
      return fmt::format("{}", random() % 64);
    default:
      return fmt::format("{:#x}", random() % 256);
  }
}

/// Writes nested structure; every label and loop counter is used once.
class ProgramWriter {
 public:
  ProgramWriter(Random& random, unsigned budget) : random_(random), budget_(budget) {}

  std::string block(unsigned depth) {
    std::string text;
    const std::uint64_t length = 1 + random_() % 4;
    for (std::uint64_t i = 0; i < length && budget_ > 0; ++i) {
      --budget_;
      const std::uint64_t kind = depth < 4 ? random_() % 6 : 5;
      text += kind == 0 ? branch(depth) : kind == 1 && loops_ < 14 ? loop(depth) : kind == 2 ? leave() : straight();
    }
    return text;
  }

 private:
  std::string condition() {
    return random_() % 2 != 0 ? fmt::format("  setp.[lt|ge|eq|ne].u32 %p{}, %r, %R;\n", random_() % 4)
                              : fmt::format("  setp.[lt|gtu|equ|num].f32 %p{}, %r, %F;\n", random_() % 4);
  }

  std::string straight() { return "  " + random_guarded_instruction(random_) + "\n"; }

  std::string branch(unsigned depth) {
    const unsigned id = labels_++;
    std::string text =
        instantiate(condition(), random_) + fmt::format("  @{} bra else{};\n", operand('P', random_), id);
    text += block(depth + 1) + fmt::format("  bra.uni join{};\nelse{}:\n", id, id);
    if (random_() % 2 != 0) text += block(depth + 1);
    return text + fmt::format("join{}:\n", id);
  }

  /// Goes round up to three times more, by a register's value that the body may not touch.
  std::string loop(unsigned depth) {
    const unsigned id = loops_++;
    std::string text = fmt::format("  and.b32 %c{0}, {1}, 3;\nloop{0}:\n", id, operand('r', random_));
    text += block(depth + 1);
    if (random_() % 2 != 0)  // a break
      text += instantiate(condition(), random_) + fmt::format("  @{} bra after{};\n", operand('P', random_), id);
    return text + fmt::format(
                      "  setp.ne.u32 %loop{0}, %c{0}, 0;\n  sub.u32 %c{0}, %c{0}, 1;\n"
                      "  @%loop{0} bra loop{0};\nafter{0}:\n",
                      id);
  }

  std::string leave() {
    return random_() % 4 == 0 ? fmt::format("  @{} bra finish;\n", operand('P', random_)) : straight();
  }

  Random& random_;
  unsigned budget_;
  unsigned labels_ = 0, loops_ = 0;
};

}  // namespace

const std::vector<std::string>& instruction_patterns() {
  static const std::vector<std::string> patterns{
#include "reference_patterns.def"
  };
  return patterns;
}

const std::vector<std::string>& warp_instruction_patterns() {
  static const std::vector<std::string> patterns{
      "vote.sync.ballot.b32 %r, %P, 0xffffffff;",
      "vote.sync.[all|any|uni].pred %p, %P, 0xffffffff;",
      "vote.ballot.b32 %r, %P;",
      "vote.[all|any|uni].pred %p, %P;",
      "shfl.sync.[up|down|bfly|idx].b32 %r, %R, %R, %R, 0xffffffff;",
      "shfl.sync.[up|down|bfly|idx].b32 %r|%p, %R, %i, [0|0x1f|0x1c1f|0x181f|0x1800|0x1000], 0xffffffff;",
      "shfl.[up|down|bfly|idx].b32 %r|%p, %r, %R, [0|31];",
      "match.any.sync.b32 %r, %R, 0xffffffff;",
      "match.any.sync.b64 %r, %d, 0xffffffff;",
      "match.all.sync.b32 %r|%p, %r, 0xffffffff;",
      "match.all.sync.b64 %r|%p, %d, 0xffffffff;",
      "redux.sync.[add|min|max].[u32|s32] %r, %R, 0xffffffff;",
      "redux.sync.[and|or|xor].b32 %r, %r, 0xffffffff;",
      "redux.sync.[min|max][|.abs][|.NaN].f32 %r, %r, 0xffffffff;",
      "activemask.b32 %r;",
      "mma.sync.aligned.m16n8k8.row.col.f32.[f16.f16|bf16.bf16].f32 {%r, %r, %r, %r}, {%r, %r}, {%r}, {%r, %r, %r, "
      "%r};",
      "mma.sync.aligned.m16n8k16.row.col.f32.[f16.f16|bf16.bf16].f32 {%r, %r, %r, %r}, {%r, %r, %r, %r}, {%r, %r}, "
      "{%r, %r, %r, %r};",
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r, %r}, {%r, %r, %r, %r}, {%r, %r}, {%r, %r};",
      "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f32 {%r, %r}, {%r, %r}, {%r}, {%r, %r, %r, %r};",
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f16 {%r, %r, %r, %r}, {%r, %r}, {%r}, {%r, %r};",
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%r, %r, %r, %r}, {%r, %r}, %r, {%r, %r, %r, %r};",
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r, %r, %r, %r}, {%r, %r, %r, %r}, {%r, %r}, "
      "{%r, %r, %r, %r};",
      "mma.sync.aligned.m8n8k16.row.col[|.satfinite].s32.[s8|u8].[s8|u8].s32 {%r, %r}, {%r}, {%r}, {%r, %r};",
      "mma.sync.aligned.m16n8k16.row.col[|.satfinite].s32.[s8|u8].[s8|u8].s32 {%r, %r, %r, %r}, {%r, %r}, {%r}, "
      "{%r, %r, %r, %r};",
      "mma.sync.aligned.m16n8k32.row.col[|.satfinite].s32.[s8|u8].[s8|u8].s32 {%r, %r, %r, %r}, {%r, %r, %r, %r}, "
      "{%r, %r}, {%r, %r, %r, %r};",
      "mma.sync.aligned.m8n8k32.row.col[|.satfinite].s32.[s4|u4].[s4|u4].s32 {%r, %r}, {%r}, {%r}, {%r, %r};",
      "mma.sync.aligned.m16n8k32.row.col[|.satfinite].s32.[s4|u4].[s4|u4].s32 {%r, %r, %r, %r}, {%r, %r}, {%r}, "
      "{%r, %r, %r, %r};",
      "mma.sync.aligned.m16n8k16.row.col.f32.[e4m3|e5m2].[e4m3|e5m2].f32 {%r, %r, %r, %r}, {%r, %r}, {%r}, {%r, %r, "
      "%r, %r};",
      "mma.sync.aligned.m16n8k32.row.col.f32.[e4m3|e5m2].[e4m3|e5m2].f32 {%r, %r, %r, %r}, {%r, %r, %r, %r}, {%r, %r}, "
      "{%r, %r, %r, %r};",
      "mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e4m3.f16 {%r, %r}, {%r, %r, %r, %r}, {%r, %r}, {%r, %r};",
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d, %d}, {%d}, {%d}, {%d, %d};",
      "movmatrix.sync.aligned.m8n8.trans.b16 %r, %r;",
      // Matrices in shared memory: a row of 16 bytes for each thread.
      "{ .reg .b32 %a; mad.lo.u32 %a, %thread, 16, %scratch; st.shared.v4.b32 [%a], {%r, %r, %r, %r}; "
      "ldmatrix.sync.aligned.m8n8.[x4|x4.trans].shared.b16 {%r, %r, %r, %r}, [%a]; "
      "ldmatrix.sync.aligned.m8n8.[x2|x2.trans].shared[|::cta].b16 {%r, %r}, [%a]; }",
      "{ .reg .b32 %a; .reg .b64 %g; mad.lo.u32 %a, %thread, 16, %scratch; cvt.u64.u32 %g, %a; cvta.shared.u64 %g, %g; "
      "st.shared.v4.b32 [%a], {%r, %r, %r, %r}; stmatrix.sync.aligned.m8n8.[x2|x2.trans].shared.b16 [%a], {%r, %r}; "
      "stmatrix.sync.aligned.m8n8.[x1|x1.trans].b16 [%g], %r; ldmatrix.sync.aligned.m8n8.[x1|x1.trans].b16 %r, [%g]; "
      "ld.shared.v2.b32 {%r, %r}, [%a+8]; }",
  };
  return patterns;
}

std::vector<std::string> choices_at(const std::string& pattern, std::size_t open) {
  if (pattern[open] != '[') return {};
  // an address's bracket has no bar before the next bracket
  if (pattern[std::min(pattern.find_first_of("[]|", open + 1), pattern.size() - 1)] != '|') return {};
  std::vector<std::string> choices(1);
  for (std::size_t i = open + 1; pattern.at(i) != ']'; ++i) {
    if (pattern[i] == '|')
      choices.emplace_back();
    else
      choices.back() += pattern[i];
  }
  return choices;
}

bool is_operand(const std::string& pattern, std::size_t at) {
  return pattern[at] == '%' && std::string_view("rdhpqRDHFGPiT").find(pattern[at + 1]) != std::string_view::npos &&
         std::isalnum(static_cast<unsigned char>(pattern[at + 2])) == 0;
}

std::string instantiate(const std::string& pattern, Random& random) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (const std::vector<std::string> choices = choices_at(pattern, i); !choices.empty()) {
      text += any_of(choices, random);
      i = pattern.find(']', i);
    } else if (is_operand(pattern, i)) {
      text += operand(pattern[++i], random);
    } else {
      text += pattern[i];
    }
  }
  return text;
}

std::string random_instruction(Random& random) { return instantiate(any_of(instruction_patterns(), random), random); }

std::string random_guarded_instruction(Random& random) {
  const std::string text = random_instruction(random);
  const bool single = text.find(';') + 1 == text.size();
  return single && random() % 3 == 0 ? instantiate("@%P ", random) + text : text;
}

std::string random_warp_instruction(Random& random) {
  return instantiate(any_of(warp_instruction_patterns(), random), random);
}

std::uint32_t random_word(Random& random) {
  switch (random() % 4) {
    case 0:
      return any_of(kWords, random) ^ static_cast<std::uint32_t>(random() % 2 << 31);
    case 1:
      return static_cast<std::uint32_t>(random() % 64);
    case 2:
      return 0x3f000000 + static_cast<std::uint32_t>(random() % 0x02000000);  // floats from 0.5 to 8
    default:
      return static_cast<std::uint32_t>(random());
  }
}

std::uint64_t random_long(Random& random) {
  switch (random() % 4) {
    case 0:
      return any_of(kLongs, random) ^ (random() % 2 << 63);
    case 1:
      return random() % 128;
    case 2:
      return 0x3fe0000000000000 + random() % 0x0040000000000000;
    default:
      return random();
  }
}

ThreadRegisters random_registers(Random& random) {
  ThreadRegisters registers;
  for (auto& value : registers.r) value = random_word(random);
  for (auto& value : registers.d) value = random_long(random);
  for (auto& value : registers.h) value = static_cast<std::uint16_t>(random_word(random) >> (random() % 17));
  for (auto& value : registers.p) value = random() % 2 != 0;
  return registers;
}

std::string random_program(Random& random, unsigned size) { return ProgramWriter(random, size + 2).block(0); }

}  // namespace warpfork::simt
