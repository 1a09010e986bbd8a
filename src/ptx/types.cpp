#include "ptx/types.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpfork::ptx {

namespace {

constexpr std::string_view kOpcodeTexts[] = {
#define PTX_OPCODE(name, text) text,
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};

constexpr std::string_view kModifierTexts[] = {
#define PTX_MODIFIER(name, text) text,
#include "ptx/modifiers.def"
#undef PTX_MODIFIER
};

constexpr std::string_view kTypeTexts[] = {
#define PTX_TYPE(name, text, bits) text,
#include "ptx/types.def"
#undef PTX_TYPE
};

constexpr unsigned kTypeBits[] = {
#define PTX_TYPE(name, text, bits) bits,
#include "ptx/types.def"
#undef PTX_TYPE
};

constexpr std::string_view kSpecialRegisterTexts[] = {
#define PTX_SPECIAL_REGISTER(name, text) text,
#include "ptx/special_registers.def"
#undef PTX_SPECIAL_REGISTER
};

constexpr std::string_view kSpaceTexts[] = {"generic", "reg", "const", "global", "local", "param", "shared", "tex"};

/// The texts of one vocabulary in alphabetical order, each with its place in the enumeration.
template <std::size_t Count>
using Index = std::array<std::pair<std::string_view, std::uint16_t>, Count>;

template <std::size_t Count>
Index<Count> index_of(const std::string_view (&texts)[Count]) {
  Index<Count> index;
  for (std::size_t i = 0; i < Count; ++i) index[i] = {texts[i], static_cast<std::uint16_t>(i)};
  std::sort(index.begin(), index.end());
  return index;
}

template <typename Word, std::size_t Count>
std::optional<Word> find(const Index<Count>& index, std::string_view text) {
  const auto found = std::lower_bound(index.begin(), index.end(), text,
                                      [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
  if (found == index.end() || found->first != text) return std::nullopt;
  return static_cast<Word>(found->second);
}

}  // namespace

std::string_view to_string(Opcode opcode) { return kOpcodeTexts[static_cast<std::size_t>(opcode)]; }
std::string_view to_string(Modifier modifier) { return kModifierTexts[static_cast<std::size_t>(modifier)]; }
std::string_view to_string(ScalarType type) { return kTypeTexts[static_cast<std::size_t>(type)]; }
std::string_view to_string(SpecialRegister name) { return kSpecialRegisterTexts[static_cast<std::size_t>(name)]; }
std::string_view to_string(StateSpace space) { return kSpaceTexts[static_cast<std::size_t>(space)]; }

std::optional<Opcode> opcode_from(std::string_view text) {
  static const auto index = index_of(kOpcodeTexts);
  return find<Opcode>(index, text);
}

std::optional<Modifier> modifier_from(std::string_view text) {
  static const auto index = index_of(kModifierTexts);
  return find<Modifier>(index, text);
}

std::optional<ScalarType> type_from(std::string_view text) {
  static const auto index = index_of(kTypeTexts);
  return find<ScalarType>(index, text);
}

std::optional<SpecialRegister> special_register_from(std::string_view text) {
  static const auto index = index_of(kSpecialRegisterTexts);
  return find<SpecialRegister>(index, text);
}

unsigned bits_of(ScalarType type) { return kTypeBits[static_cast<std::size_t>(type)]; }

bool is_float(ScalarType type) {
  const char first = to_string(type)[0];
  return first == 'f' || first == 'e' || type == ScalarType::Bf16 || type == ScalarType::Bf16x2 ||
         type == ScalarType::Tf32 || type == ScalarType::Ue8m0 || type == ScalarType::Ue8m0x2 ||
         type == ScalarType::Ue4m3;
}

bool is_signed(ScalarType type) {
  const std::string_view text = to_string(type);
  return text[0] == 's' && text != "samplerref" && text != "surfref";
}

bool is_packed(ScalarType type) { return to_string(type).find('x') != std::string_view::npos; }

}  // namespace warpfork::ptx
