// How arguments come into the one copy of a recursive function's body, and its results out of it, at each of its calls.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ptx/call_parts.h"
#include "ptx/module.h"

namespace warpfork::lower {

/// Of one call. What is passed is copied, as the copy's variables may be the caller's own: first everything is read,
/// then everything is written.
class ActivationPassing {
 public:
  /// The copy: of which function, what its variables are called in the result, where its registers begin there.
  struct Callee {
    const ptx::Function& function;
    const std::map<std::string, std::string>& names;
    ptx::RegisterId first_register;
  };

  /// The call's operands are those of `out`. `number` is one that no other call's variables have.
  ActivationPassing(ptx::Function& out, const ptx::CallParts& call, const Callee& callee, const ptx::Location& location,
                    unsigned number)
      : out_(out), call_(call), callee_(callee), location_(location), number_(number) {}

  /// Append instructions.
  void load_arguments();
  void store_arguments() { store(); }
  void load_results();
  void store_results();

  /// Registers of what has been loaded and waits to be stored.
  std::vector<ptx::RegisterId> waiting() const;

 private:
  struct Value {
    ptx::RegisterId id;
    ptx::Operand to;
    ptx::ScalarType type;
  };

  void load_argument(const ptx::Operand& argument, const ptx::Variable& parameter);
  void load_result(const ptx::Operand& result, const ptx::Variable& returned);
  void load_pieces(const ptx::Variable& formal, const std::string& from, const std::string& to);
  void load(ptx::Operand from, ptx::Operand to, ptx::ScalarType type);
  void store();
  void transfer(ptx::Operand to, ptx::Operand from, ptx::ScalarType type);
  std::string add_own_variable(const ptx::Variable& formal);

  ptx::Function& out_;
  const ptx::CallParts& call_;
  Callee callee_;
  ptx::Location location_;
  unsigned number_;
  std::vector<Value> values_;                 // in registers
  std::vector<ptx::Instruction> afterwards_;  // what takes results out of variables of this call
};

}  // namespace warpfork::lower
