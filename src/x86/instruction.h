// What an x86-64 instruction asks of a core: µops, registers, memory accesses, where control may go.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "x86/register.h"

namespace warpfork::x86 {

/// The functional unit that a µop needs. Latencies are the machine's.
enum class UopKind : std::uint8_t {
  Nop,         ///< occupies the front end and the reorder buffer only
  IntegerAlu,  ///< add, logic, shift, lea, moves, set and cmov
  IntegerMultiply,
  IntegerDivide,
  Branch,
  Load,
  Store,          ///< address and data in one µop
  VectorAlu,      ///< SSE and AVX: integer, logic, shuffles, conversions, moves
  FloatAdd,       ///< and subtractions, comparisons, minimum, maximum
  FloatMultiply,  ///< and fused multiply-add
  FloatDivide,    ///< and square root
  Serialize,      ///< executes alone, when it is the oldest: fences, cpuid, system calls, x87 state
};

inline constexpr unsigned kUopKinds = static_cast<unsigned>(UopKind::Serialize) + 1;

/// How much of a vector register a µop works on.
enum class UopWidth : std::uint8_t { Scalar, Sse, Avx };  ///< up to 64 bits, 128, 256

struct Uop {
  UopKind kind = UopKind::Nop;
  UopWidth width = UopWidth::Scalar;
  std::uint8_t source_count = 0, destination_count = 0;
  std::array<RegisterId, 4> sources{};
  std::array<RegisterId, 2> destinations{};  ///< the second is kFlags, if there is a second
  std::uint8_t access = 0;                   ///< of Load and Store: index into the instruction's accesses
  std::uint8_t address_count = 0;  ///< of Load and Store: that many of the sources, the first, are the address

  std::span<const RegisterId> read() const { return {sources.data(), source_count}; }
  std::span<const RegisterId> written() const { return {destinations.data(), destination_count}; }
};

/// An access to memory that every execution of an instruction makes (a repeated string instruction: every iteration).
struct MemoryAccess {
  bool store = false;
  bool masked = false;     ///< of a gather or a masked move: not made where the mask says so, its address is then 0
  std::uint8_t bytes = 0;  ///< 1 to 32; larger ones (x87 state) count as 32
};

enum class BranchKind : std::uint8_t { None, Conditional, Jump, IndirectJump, Call, IndirectCall, Return };

/// Whether control may go on at more than one place.
constexpr bool may_go_two_ways(BranchKind kind) {
  return kind != BranchKind::None && kind != BranchKind::Jump && kind != BranchKind::Call;
}

/// What the address of one of an instruction's accesses tells of the stack: behind the instruction, the register has
/// that address less `offset`.
struct StackAccess {
  enum class Register : std::uint8_t { None, StackPointer, FramePointer };
  Register of = Register::None;
  std::uint8_t access = 0;
  std::int32_t offset = 0;
};

/// An instruction of the program's text, decoded once. The spans stay valid as long as the Code that owns them.
struct StaticInstruction {
  std::uint64_t pc = 0;
  std::uint8_t length = 0;  ///< bytes
  BranchKind branch = BranchKind::None;
  bool atomic = false;   ///< lock prefix, or xchg with memory
  bool repeats = false;  ///< rep movs and its kin
  bool system_call = false;
  StackAccess stack;                       ///< of none that branches
  std::uint64_t target = 0;                ///< of a direct branch
  std::span<const Uop> uops;               ///< in program order, never empty
  std::span<const MemoryAccess> accesses;  ///< in the order in which they happen

  std::uint64_t fall_through() const { return pc + length; }
};

}  // namespace warpfork::x86
