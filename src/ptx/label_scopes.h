// Labels of a function body: branch targets, and the tables of brx.idx and indirect calls (PTX ISA, "Labels and
// Function Names").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/module.h"
#include "ptx/source.h"
#include "ptx/token.h"

namespace warpfork::ptx {

/// A label may be used before it is defined and is visible in its scope and the scopes inside. Every use is written
/// into the Function when the scope that defines the label closes.
class LabelScopes {
 public:
  LabelScopes(Function& function, const Source& source) : function_(function), source_(source) { open(); }

  void open() { scopes_.emplace_back(); }
  /// Resolves what it can. Throws Error at the end of the function for a label that was never defined.
  void close();

  /// A label before the next instruction. Throws Error if this scope has it already.
  void define_target(const Token& label);
  /// The label of a `.branchtargets`, `.calltargets` or `.callprototype`; returns the key to file it under.
  std::string define_table(const Token& label);

  /// Operand `operand` of the next instruction is this branch target, or this table.
  void use_target(const Token& label, std::size_t operand);
  void use_table(const Token& label, std::size_t operand);
  /// Entry `entry` of the branch table `key` is this label.
  void use_in_table(const Token& label, const std::string& key, std::size_t entry);

 private:
  struct Label {
    std::string name;  // unique in the function
    Pc target = kNoPc;
    bool is_table = false;
  };
  struct Use {
    Token label;
    bool wants_table = false;
    std::size_t instruction = 0, place = 0;  // the operand, or the entry of the table
    std::string table;                       // empty for an operand
  };
  struct Scope {
    std::unordered_map<std::string_view, Label> labels;
    std::vector<std::string_view> order;
    std::vector<Use> uses;
  };

  std::string define(const Token& token, Pc target, bool is_table);
  void resolve(const Use& use, const Label& label);
  [[noreturn]] void fail_undefined(const Use& use) const;

  Function& function_;
  const Source& source_;
  std::vector<Scope> scopes_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, unsigned> copies_;
};

}  // namespace warpfork::ptx
