// A PTX translation unit, parsed and checked; it never changes again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ptx/instruction.h"
#include "ptx/types.h"

namespace warpfork::ptx {

/// A declared register; `%r<5>` declares five.
struct Register {
  std::string name;  // with the percent sign
  ScalarType type{};
};

/// A place in an initialiser that holds an address: `{ generic(table), f }`.
struct Relocation {
  std::uint64_t offset = 0;  // bytes into the variable
  std::string symbol;
  std::int64_t addend = 0;
  bool generic = false;
};

/// A variable in any space but registers: module scope, function scope, or a parameter.
struct Variable {
  std::string name;
  StateSpace space{};
  ScalarType type{};
  std::uint64_t bytes = 0;  // whole size, all dimensions; 0 for `extern .shared x[]`
  std::uint32_t alignment = 1;
  std::vector<std::byte> initial;  // empty = zeros
  std::vector<Relocation> relocations;
  bool is_extern = false;
  bool is_visible = false;
  Location location;
};

/// An entry (`.entry`) or a device function (`.func`).
struct Function {
  std::string name;
  bool is_entry = false;
  bool is_declaration = false;  // `.extern .func` or a prototype without body
  std::vector<Variable> returns;     // `.func (.param .b32 r) f`
  std::vector<Variable> parameters;  // offsets follow from sizes and alignments, see parameter_offsets()
  std::vector<Register> registers;
  std::vector<Variable> variables;  // .local, .shared, .param of the body, scopes flattened, names made unique
  std::vector<Instruction> body;
  std::map<std::string, std::vector<LabelOperand>> branch_targets;  // `.branchtargets` tables by label
  std::map<std::string, Function> prototypes;                       // `.callprototype` by label; no body
  std::uint32_t max_threads = 0;                                    // .maxntid product, 0 = unset
  Dim3 required_threads{0, 0, 0};                                   // .reqntid
  std::uint32_t max_registers = 0;                                  // .maxnreg
  Location location;

  /// Byte offset of each parameter in the launch's parameter buffer.
  std::vector<std::uint64_t> parameter_offsets() const;
  std::uint64_t parameter_bytes() const;
};

struct Module {
  std::string name;  // of the file or image, for messages
  unsigned version_major = 0, version_minor = 0;
  std::string target;  // "sm_20"
  unsigned address_bits = 64;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<std::uint32_t, std::string> source_files;  // `.file`

  /// Null if there is none of that name.
  const Function* find_function(std::string_view name) const;
  const Variable* find_variable(std::string_view name) const;
};

}  // namespace warpfork::ptx
