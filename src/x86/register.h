// The registers of x86-64 as a renamer sees them.
#pragma once

#include <cstdint>

namespace warpfork::x86 {

/// Number of an architectural register: partial registers are their whole register, the arithmetic flags are one
/// register, xmm and ymm are one. AVX-512 is not recorded, so there are 16 of each.
using RegisterId = std::uint8_t;

inline constexpr RegisterId kGeneralPurpose = 0;  ///< rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 … r15, as encoded
inline constexpr RegisterId kCounter = kGeneralPurpose + 1, kStackPointer = kGeneralPurpose + 4;
inline constexpr RegisterId kFlags = 16;
inline constexpr RegisterId kVector = 17;     ///< ymm0 … ymm15
inline constexpr RegisterId kX87 = 33;        ///< the x87 and MMX stack, as one register
inline constexpr RegisterId kControl = 34;    ///< mxcsr and the x87 control word
inline constexpr RegisterId kTemporary = 35;  ///< two that carry values between the µops of one instruction
inline constexpr unsigned kRegisterCount = 37;

}  // namespace warpfork::x86
