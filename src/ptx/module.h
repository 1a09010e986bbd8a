// A PTX translation unit, parsed and checked; it never changes again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/instruction.h"
#include "ptx/types.h"

namespace warpfork::ptx {

/// A declared register; `%r<5>` declares five.
struct Register {
  std::string name;  // with the percent sign
  ScalarType type{};
  std::uint32_t line = 0;  // of its declaration; 0 = the text has none
};

/// A place in an initialiser that holds an address: `{ generic(table), f }`.
struct Relocation {
  std::uint64_t offset = 0;  // bytes into the variable
  std::string symbol;
  std::int64_t addend = 0;
  bool generic = false;
  /// `0xff00(table)`: the element is the address ANDed with the mask and shifted right by the mask's trailing zeros.
  std::uint64_t mask = ~std::uint64_t{0};
  bool operator==(const Relocation&) const = default;
};

/// A variable in any space but registers: module scope, function scope, or a parameter.
struct Variable {
  std::string name;
  StateSpace space{};
  ScalarType type{};
  std::uint64_t bytes = 0;  // whole size, all dimensions; 0 for `extern .shared x[]`
  std::uint32_t alignment = 1;
  std::vector<std::byte> initial;       // empty = zeros
  std::vector<Relocation> relocations;  // ascending offsets; each place has the width of `type`
  std::vector<std::pair<std::string, std::string>> sampler_fields;  // `.samplerref s = { filter_mode = linear }`
  bool is_extern = false;
  bool is_visible = false;  // also .weak and .common
  bool is_managed = false;  // .attribute(.managed)
  Location location;
};

/// An entry (`.entry`) or a device function (`.func`).
struct Function {
  std::string name;
  bool is_entry = false;
  bool is_declaration = false;       // `.extern .func` or a prototype without body
  std::vector<Variable> returns;     // `.func (.param .b32 r) f`
  std::vector<Variable> parameters;  // offsets follow from sizes and alignments, see parameter_offsets()
  std::vector<Register> registers;
  std::vector<Variable> variables;  // .local, .shared, .param of the body, scopes flattened, names made unique
  std::vector<Instruction> body;
  std::map<std::string, std::vector<LabelOperand>> branch_targets;  // `.branchtargets` tables by label
  std::map<std::string, std::vector<std::string>> call_targets;     // `.calltargets` tables by label
  std::map<std::string, Function> prototypes;                       // `.callprototype` by label; no body
  std::uint32_t max_threads = 0;                                    // .maxntid product, 0 = unset
  Dim3 required_threads{0, 0, 0};                                   // .reqntid
  Dim3 cluster{1, 1, 1};                                            // .reqnctapercluster
  std::uint32_t max_registers = 0;                                  // .maxnreg
  std::uint32_t min_blocks = 0;                                     // .minnctapersm: of a core, at a time
  Location location;

  /// Byte offset of each parameter in the launch's parameter buffer.
  std::vector<std::uint64_t> parameter_offsets() const;
  std::uint64_t parameter_bytes() const;
};

struct Module {
  std::string name;  // of the file or image, for messages
  std::string text;  // that it was parsed from
  unsigned version_major = 0, version_minor = 0;
  std::string target;                       // "sm_20"
  std::vector<std::string> target_options;  // "texmode_independent", "debug" …
  unsigned address_bits = 64;  // where .address_size is missing: 64 if an address stands in a 64-bit register, else 32
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<std::uint32_t, std::string> source_files;  // `.file`
  std::map<std::string, std::string> aliases;         // `.alias` name -> function

  /// The number of the target: 75 of sm_75.
  unsigned architecture() const;
  /// Null if there is none of that name. Of an alias, the function that it stands for.
  const Function* find_function(std::string_view name) const;
  const Variable* find_variable(std::string_view name) const;

  /// Name of the source file that the place is of, without its folder; empty where the PTX does not say.
  std::string source_name(const Location& location) const;
  /// "PTX line 31, copy.cu:7", or "PTX line 31" where the PTX does not say from which source line it came.
  std::string place_text(const Location& location) const;
};

}  // namespace warpfork::ptx
