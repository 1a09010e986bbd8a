// What the names of a function body mean (PTX ISA, "Kernel and Function Directives": scopes of braces, with shadowing).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/module.h"
#include "ptx/variable_parser.h"

namespace warpfork::ptx {

/// Registers and variables by name, scope by scope. Registers go straight into the Function; names that appear in more
/// than one scope are made unique there (`%p$1`). Keys view the text that is parsed.
class NameScopes {
 public:
  struct Meaning {
    enum class Kind : std::uint8_t { Register, VectorRegister, Variable };
    Kind kind = Kind::Register;
    std::uint8_t width = 1;   // of a VectorRegister: consecutive registers from `index`
    std::uint32_t index = 0;  // RegisterId, or for variable_name()
  };

  /// `module_registers` counts the registers of all functions, which are limited too.
  NameScopes(Function& function, const Source& source, std::size_t& module_registers)
      : function_(function), source_(source), module_registers_(module_registers) {
    open();
  }

  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }

  // All of these throw Error for a name that the innermost scope has already.
  void declare_register(const Token& name, ScalarType type, unsigned vector_width);
  void declare_registers(const std::vector<RegisterDeclaration>& declarations);
  /// Returns the unique name. `reserved`: the module has that name too, so that another must be found.
  std::string declare_variable(const Token& name, bool reserved, unsigned element_bytes);

  /// Of a variable that belongs to the module: named after the function, otherwise than what `is_taken`.
  std::string declare_lifted(const Token& name, const std::function<bool(const std::string&)>& is_taken,
                             unsigned element_bytes);

  /// A register that the text does not name.
  std::uint32_t add_register(std::string_view prefix, ScalarType type);

  std::optional<Meaning> find(std::string_view name) const;
  const std::string& variable_name(const Meaning& meaning) const { return variables_[meaning.index].name; }
  /// What one step of an index moves by: `table[2]`.
  unsigned element_bytes(const Meaning& meaning) const { return variables_[meaning.index].element_bytes; }
  /// The names in sight, innermost first, for messages; of a range `%r<5>` only some.
  std::vector<std::string> names_in_sight() const;

 private:
  struct FlatVariable {
    std::string name;
    unsigned element_bytes = 0;
  };
  struct Range {
    std::string_view prefix;
    std::uint32_t count = 0;
    Meaning first;
  };
  struct Scope {
    std::unordered_map<std::string_view, Meaning> names;
    std::vector<std::string_view> order;
    std::vector<Range> ranges;

    std::optional<Meaning> find(std::string_view name) const;
  };

  static std::optional<std::uint32_t> index_in(const Range& range, std::string_view name);
  bool taken(const std::string& name) const;
  bool overlaps(const Range& range) const;
  std::string unique(std::string_view name);
  void declare_range(const Token& prefix, std::uint64_t count, ScalarType type, unsigned vector_width);
  void add(const Token& name, const Meaning& meaning);
  void reserve(const Token& at, std::uint64_t more);
  void add_register(const std::string& name, ScalarType type, unsigned vector_width, const Token& at);

  Function& function_;
  const Source& source_;
  std::size_t& module_registers_;
  std::vector<Scope> scopes_;
  std::vector<FlatVariable> variables_;
  std::unordered_set<std::string> taken_;
  std::vector<Range> all_ranges_;  // of closed scopes too
  std::unordered_map<std::string, unsigned> copies_;
};

}  // namespace warpfork::ptx
