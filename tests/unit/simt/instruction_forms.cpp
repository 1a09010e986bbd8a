#include "instruction_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "random_bodies.h"

namespace warpfork::simt {

using reference::Outcome;
using reference::ThreadRegisters;

namespace {

constexpr std::size_t kFormsOfAPattern = 128;
/// Truth tables of lop3: of one operand, of two, and of all three.
constexpr const char* kTables = "[0|0x0f|0x3c|0x6a|0x80|0x96|0xca|0xe8|0xff]";

/// One text for each combination of choices, their number cut down by taking every so many-th.
std::vector<std::string> alternatives(const std::string& pattern) {
  std::size_t open = 0;
  while (open < pattern.size() && choices_at(pattern, open).empty()) ++open;
  if (open == pattern.size()) return {pattern};
  const std::vector<std::string> rests = alternatives(pattern.substr(pattern.find(']', open) + 1));
  std::vector<std::string> all;
  for (const std::string& choice : choices_at(pattern, open))
    for (const std::string& rest : rests) all.push_back(pattern.substr(0, open) + choice + rest);
  if (all.size() <= kFormsOfAPattern) return all;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < kFormsOfAPattern; ++i) some.push_back(all[i * all.size() / kFormsOfAPattern]);
  return some;
}

/// A register where the pattern would take a literal as well: each operand then has every lane's value.
char register_kind(char kind) {
  switch (kind) {
    case 'R':
    case 'F':
      return 'r';
    case 'D':
    case 'G':
      return 'd';
    case 'H':
      return 'h';
    case 'P':
      return 'p';
    default:
      return kind;
  }
}

/// Operands in the order of their numbers, so that no two of an instruction are the same register.
class Operands {
 public:
  std::string next(char kind) {
    switch (kind) {
      case 'r':
        return fmt::format("%r{}", words_++ % 8);
      case 'd':
        return fmt::format("%d{}", longs_++ % 4);
      case 'h':
        return fmt::format("%h{}", halves_++ % 4);
      case 'p':
        return fmt::format("%p{}", predicates_++ % 4);
      case 'q': {
        const std::string second = next('p');  // first and second in one expression would be a compiler's choice
        return next('p') + "|" + second;
      }
      default:
        return fmt::format("{}", kNumbers[numbers_++ % std::size(kNumbers)]);
    }
  }

 private:
  static constexpr unsigned kNumbers[] = {5, 19};  // below 32, as a position and a length within a word
  unsigned words_ = 0, longs_ = 0, halves_ = 0, predicates_ = 0, numbers_ = 0;
};

std::string with_operands(const std::string& form) {
  Operands operands;
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (is_operand(form, i))
      text += operands.next(register_kind(form[++i]));
    else
      text += form[i];
  }
  return text;
}

/// Addresses of the harness's buffers, and the place of a warp on a core, are a machine's own.
bool depends_on_the_machine(std::string_view form) {
  return form.find("[records") != std::string_view::npos || form.find("%warpid") != std::string_view::npos;
}

std::vector<std::string> forms_of(const std::vector<std::string>& patterns) {
  std::vector<std::string> forms;
  for (std::string pattern : patterns) {
    if (const std::size_t table = pattern.find("%T"); table != std::string::npos) pattern.replace(table, 2, kTables);
    for (const std::string& form : alternatives(pattern)) {
      const std::string text = with_operands(form);
      if (!depends_on_the_machine(text) && std::find(forms.begin(), forms.end(), text) == forms.end())
        forms.push_back(text);
    }
  }
  return forms;
}

/// 64-bit FNV-1a.
class Digest {
 public:
  template <typename T>
  void add(T value) {
    for (unsigned byte = 0; byte < sizeof(T); ++byte)
      state_ = (state_ ^ (static_cast<std::uint64_t>(value) >> (8 * byte) & 0xff)) * 0x100000001b3;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace

std::vector<std::string> instruction_forms() {
  std::vector<std::string> forms = forms_of(instruction_patterns());
  // Fields of doublewords whose position and length the ISA defines: up to 255. Counts of fns that have a magnitude.
  for (const char* field :
       {"bfe.u64 %d0, %d1, %r0, %r1;", "bfe.s64 %d0, %d1, %r0, %r1;", "bfi.b64 %d0, %d1, %d2, %r0, %r1;"}) {
    std::erase(forms, field);
    forms.push_back(fmt::format("and.b32 %r0, %r0, 127; and.b32 %r1, %r1, 127; {}", field));
  }
  std::erase_if(forms, [](const std::string& form) { return form.starts_with("fns") && form.ends_with("%r2;"); });
  for (const unsigned base : {0, 1, 6, 15, 30, 31})
    forms.push_back(fmt::format("shr.s32 %r2, %r2, 26; fns.b32 %r0, %r1, {}, %r2;", base));
  return forms;
}

std::vector<std::string> warp_instruction_forms() { return forms_of(warp_instruction_patterns()); }

std::vector<std::string> approximate_forms() {
  std::vector<std::string> forms;
  for (const char* instruction : {"rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"})
    for (const char* flush : {"", ".ftz"})
      forms.push_back(fmt::format("{}.approx{}.f32 %r0, %r1;", instruction, flush));
  forms.emplace_back("tanh.approx.f32 %r0, %r1;");
  for (const char* division : {"div.approx", "div.approx.ftz", "div.full", "div.full.ftz"})
    forms.push_back(fmt::format("{}.f32 %r0, %r1, %r2;", division));
  return forms;
}

std::vector<std::vector<ThreadRegisters>> form_operands() {
  Random random(1);
  std::vector<std::vector<ThreadRegisters>> launches(4, std::vector<ThreadRegisters>(256));
  for (std::vector<ThreadRegisters>& threads : launches)
    for (ThreadRegisters& thread : threads) thread = random_registers(random);
  return launches;
}

std::string silicon_module(const std::string& form) {
  return reference::harness_ptx(
      "  { .reg .b32 %z; mad.lo.u32 %z, %thread, 16, %scratch; st.shared.v4.b32 [%z], {0, 0, 0, 0}; }\n"
      "  { .reg .b32 %z; mad.lo.u32 %z, %thread, 4, %scratch; st.shared.b32 [%z+4096], 0; }\n  " +
      form);
}

std::uint64_t digest(const std::vector<Outcome>& outcomes) {
  Digest digest;
  for (const Outcome& outcome : outcomes) {
    for (const ThreadRegisters& thread : outcome.threads) {
      for (const std::uint32_t bits : thread.r) digest.add(bits);
      for (const std::uint64_t bits : thread.d) digest.add(bits);
      for (const std::uint16_t bits : thread.h) digest.add(bits);
      for (const bool set : thread.p) digest.add(static_cast<std::uint8_t>(set));
    }
    for (const std::uint32_t word : outcome.out) digest.add(word);
  }
  return digest.value();
}

}  // namespace warpfork::simt
