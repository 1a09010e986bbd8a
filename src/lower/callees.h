// The functions that a call through a pointer may reach.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ptx/module.h"

namespace warpfork::lower {

/// Of the calls of one module.
class Callees {
 public:
  explicit Callees(const ptx::Module& module) : module_(module) {}

  /// Those of the call's table of `.calltargets`, or else all whose addresses the module takes, as far as they have a
  /// body and take and return what the call says (PTX ISA, "call").
  std::vector<const ptx::Function*> of(const ptx::Instruction& call, const ptx::Function& caller);

  /// Those that each call in the function's body may reach, call by call.
  const std::vector<const ptx::Function*>& called_by(const ptx::Function& function);

 private:
  std::vector<const ptx::Function*> named(const ptx::Instruction& call, const ptx::Function& caller);

  const ptx::Module& module_;
  std::map<const ptx::Function*, std::vector<const ptx::Function*>> called_by_;  // looked up only, of who was asked for
  std::optional<std::vector<const ptx::Function*>> with_addresses_;              // once someone has asked
};

}  // namespace warpfork::lower
