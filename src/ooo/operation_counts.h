// What a core's units have computed.
#pragma once

#include <array>
#include <cstdint>

#include "x86/instruction.h"

namespace warpfork::ooo {

/// Operations of lanes on 64 bits: a µop on a 256-bit register is four for each of its lanes.
struct OperationCounts {
  std::uint64_t integer = 0;   ///< of integer and branch units
  std::uint64_t multiply = 0;  ///< integer multiplications and divisions
  std::uint64_t vector = 0;    ///< of vector units, but for floating_point
  std::uint64_t floating_point = 0;
  std::uint64_t memory = 0;  ///< loaded or stored

  template <class Visitor>
  void visit(Visitor&& v) {
    constexpr const char* kUnit = "operations";
    v.count("integer", integer, kUnit, "of integer units, and branches");
    v.count("multiply", multiply, kUnit, "integer multiplications and divisions");
    v.count("vector", vector, kUnit, "of vector units, but for `floating_point`");
    v.count("floating_point", floating_point, kUnit, "of vector units on floating-point numbers");
    v.count("memory", memory, kUnit, "loaded or stored");
  }

  /// Of µops of that kind.
  void add(x86::UopKind kind, std::uint64_t words) {
    switch (kind) {
      case x86::UopKind::Nop:
        return;
      case x86::UopKind::IntegerAlu:
      case x86::UopKind::Branch:
      case x86::UopKind::Serialize:
        integer += words;
        return;
      case x86::UopKind::IntegerMultiply:
      case x86::UopKind::IntegerDivide:
        multiply += words;
        return;
      case x86::UopKind::Load:
      case x86::UopKind::Store:
        memory += words;
        return;
      case x86::UopKind::VectorAlu:
        vector += words;
        return;
      case x86::UopKind::FloatAdd:
      case x86::UopKind::FloatMultiply:
      case x86::UopKind::FloatDivide:
        floating_point += words;
        return;
    }
  }
};

/// Adds them up, by the kinds of µops: the same for each.
class OperationCounter {
 public:
  void add(x86::UopKind kind, x86::UopWidth width, unsigned lanes) {
    words_[static_cast<unsigned>(kind)] += std::uint64_t{lanes} << static_cast<unsigned>(width);
  }
  OperationCounts counts() const {
    OperationCounts counts;
    for (unsigned kind = 0; kind < x86::kUopKinds; ++kind) counts.add(static_cast<x86::UopKind>(kind), words_[kind]);
    return counts;
  }

 private:
  std::array<std::uint64_t, x86::kUopKinds> words_{};
};

}  // namespace warpfork::ooo
