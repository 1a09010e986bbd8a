// Physical registers of the out-of-order SIMT core: each holds one value per lane (SIMT-X 3.2).
#pragma once

#include <cstdint>

#include "x86/register.h"

namespace warpfork::ooo {

/// Integer registers are numbered first, then vector registers, then those of flags.
using PhysicalRegister = std::uint16_t;
inline constexpr PhysicalRegister kNoRegister = 0xffff;

/// The two register files of Table I ("168 int and FP physical registers", as in the Intel cores that it follows), and
/// one of flags beside them (ADR 0018).
enum class RegisterClass : std::uint8_t { Integer, Vector, Flags };
inline constexpr unsigned kRegisterClasses = 3;

/// Temporaries may carry a vector between µops, so that they are in the vector file.
constexpr RegisterClass class_of(x86::RegisterId architectural) {
  if (architectural == x86::kFlags) return RegisterClass::Flags;
  const bool vector = (architectural >= x86::kVector && architectural <= x86::kX87) || architectural >= x86::kTemporary;
  return vector ? RegisterClass::Vector : RegisterClass::Integer;
}

constexpr unsigned architectural_registers(RegisterClass file) {
  unsigned count = 0;
  for (x86::RegisterId id = 0; id < x86::kRegisterCount; ++id) count += class_of(id) == file;
  return count;
}

}  // namespace warpfork::ooo
