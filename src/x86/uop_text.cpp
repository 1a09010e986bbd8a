#include "x86/uop_text.h"

#include <fmt/format.h>

#include <array>

namespace warpfork::x86 {

std::string_view name(RegisterId id) {
  static constexpr std::array<std::string_view, kRegisterCount> kNames = {
      "rax",  "rcx",   "rdx",   "rbx",   "rsp",   "rbp",   "rsi",   "rdi",  "r8",      "r9",   "r10",  "r11",  "r12",
      "r13",  "r14",   "r15",   "flags", "ymm0",  "ymm1",  "ymm2",  "ymm3", "ymm4",    "ymm5", "ymm6", "ymm7", "ymm8",
      "ymm9", "ymm10", "ymm11", "ymm12", "ymm13", "ymm14", "ymm15", "x87",  "control", "t0",   "t1"};
  return kNames.at(id);
}

std::string_view name(UopKind kind) {
  static constexpr std::array<std::string_view, 12> kNames = {"nop",   "alu", "imul", "idiv", "branch", "load",
                                                              "store", "vec", "fadd", "fmul", "fdiv",   "serialize"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string to_text(const Uop& uop, std::span<const MemoryAccess> accesses) {
  static constexpr std::array<std::string_view, 3> kWidths = {"", ".sse", ".avx"};
  std::string text(name(uop.kind));
  if (uop.kind == UopKind::Load || uop.kind == UopKind::Store) {
    const MemoryAccess& access = accesses[uop.access];
    text += fmt::format("{}{}", access.bytes, access.masked ? "?" : "");
  } else {
    text += kWidths[static_cast<std::size_t>(uop.width)];
  }
  for (const RegisterId id : uop.written()) text += fmt::format(" {}", name(id));
  if (uop.source_count > 0) text += " <";
  for (const RegisterId id : uop.read()) text += fmt::format(" {}", name(id));
  return text;
}

}  // namespace warpfork::x86
