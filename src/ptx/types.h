// The closed vocabularies of PTX: opcodes, dotted words, types, state spaces, special registers. Each list is a .def
// file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpfork::ptx {

enum class Opcode : std::uint16_t {
#define PTX_OPCODE(name, text) name,
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};

enum class Modifier : std::uint16_t {
#define PTX_MODIFIER(name, text) name,
#include "ptx/modifiers.def"
#undef PTX_MODIFIER
};

enum class ScalarType : std::uint8_t {
#define PTX_TYPE(name, text, bits) name,
#include "ptx/types.def"
#undef PTX_TYPE
};

enum class SpecialRegister : std::uint16_t {
#define PTX_SPECIAL_REGISTER(name, text) name,
#include "ptx/special_registers.def"
#undef PTX_SPECIAL_REGISTER
};

enum class StateSpace : std::uint8_t { Generic, Register, Const, Global, Local, Param, Shared, Texture };

/// The text as it stands in PTX, without the dot or percent sign.
std::string_view to_string(Opcode);
std::string_view to_string(Modifier);
std::string_view to_string(ScalarType);
std::string_view to_string(SpecialRegister);
std::string_view to_string(StateSpace);

std::optional<Opcode> opcode_from(std::string_view);
std::optional<Modifier> modifier_from(std::string_view);
std::optional<ScalarType> type_from(std::string_view);
std::optional<SpecialRegister> special_register_from(std::string_view);

/// Width in bits; 1 for `.pred`.
unsigned bits_of(ScalarType);
inline unsigned bytes_of(ScalarType type) { return (bits_of(type) + 7) / 8; }
bool is_float(ScalarType);
bool is_signed(ScalarType);
/// Two or more numbers in one register.
bool is_packed(ScalarType);

}  // namespace warpfork::ptx
