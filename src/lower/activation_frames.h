// Variables of recursive functions: each activation has its own, on the stack.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lower/body_edit.h"
#include "lower/recursion.h"

namespace warpfork::lower {

/// Takes the variables of a recursion's copies that are in memory out of the function: they become places of the
/// copies' frames.
class ActivationFrames {
 public:
  ActivationFrames(ptx::Function& function, const Recursion& recursion);

  /// The largest of a variable, and at least of all that a register holds: addresses on the stack are multiples of it.
  std::uint32_t alignment() const { return alignment_; }
  std::uint64_t bytes(unsigned copy) const { return bytes_[copy]; }

  /// Whatever names one of the variables reckons from its copy's frame register.
  void rewrite(BodyEdit& edit);

 private:
  struct Place {
    ptx::RegisterId frame = 0;
    std::int64_t offset = 0;
  };

  void place(const std::string& name, ptx::RegisterId frame, std::uint64_t& bytes);
  const Place* find(const std::string& name) const;
  bool becomes_addition(ptx::Instruction& instruction) const;
  void rewrite(ptx::Operand& operand, ptx::Instruction& instruction, Pc pc, BodyEdit& edit);
  ptx::RegisterId address_before(Pc pc, const ptx::Instruction& instruction, const Place& place, BodyEdit& edit);

  ptx::Function& function_;
  ptx::ScalarType address_;
  std::uint32_t alignment_ = 8;
  std::map<std::string, Place> places_;  // by variable
  std::vector<std::uint64_t> bytes_;     // by copy
};

}  // namespace warpfork::lower
