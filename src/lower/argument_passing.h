// How arguments come into a copy of a function's body, and its results out of it (PTX ISA, "call").
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ptx/call_parts.h"
#include "ptx/module.h"

namespace warpfork::lower {

/// Of one call. Variables are shared between caller and callee, registers are moved.
class ArgumentPassing {
 public:
  /// Of the callee's names of variables and parameters, those that they have in `out`.
  using Names = std::map<std::string, std::string>;

  /// The call's operands are those of `out`, to which the callee's registers are added next. `copy` is a number that
  /// the variables of no other copy have.
  ArgumentPassing(ptx::Function& out, const ptx::CallParts& call, const ptx::Function& callee,
                  const ptx::Location& location, unsigned copy)
      : out_(out),
        call_(call),
        callee_(callee),
        location_(location),
        copy_(copy),
        first_register_(static_cast<ptx::RegisterId>(out.registers.size())) {}

  /// Appends what stands in front of the body, whose variables of parameters and results have these names.
  Names pass_arguments() const;
  /// Appends what stands behind it.
  void pass_results() const;

 private:
  std::string own_name(const ptx::Variable& parameter) const;
  void pass_argument(const ptx::Operand& argument, const ptx::Variable& parameter, Names& names) const;
  void pass_result(const ptx::Operand& result, const ptx::Variable& returned) const;
  void move(ptx::Operand to, ptx::Operand from, ptx::ScalarType type) const;
  void access(ptx::Opcode opcode, std::vector<ptx::Operand> operands, ptx::ScalarType type) const;

  ptx::Function& out_;
  const ptx::CallParts& call_;
  const ptx::Function& callee_;
  ptx::Location location_;
  unsigned copy_;
  ptx::RegisterId first_register_;
};

}  // namespace warpfork::lower
