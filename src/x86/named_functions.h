// Functions of a program as people name them on the command line.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "x86/symbol_table.h"

namespace warpfork::x86 {

/// A function with the copies that the compiler made of it. It is named as in the symbol table, or, in C++, as c++filt
/// prints it: "work(int)", or "work" where only one function is called so. Of that name there may be several: static
/// ones of several sources, or the two of a constructor.
class NamedFunctions {
 public:
  enum class Needs { Code, CodeOrBodies };
  /// Throws Error, which names `program` and near names, or those that may be meant, if there is no such function or
  /// more than one. CodeOrBodies: one that was inlined will do if OpenMP bodies of it are left; it has no address.
  NamedFunctions(const std::string& name, const SymbolTable& symbols, const std::string& program,
                 Needs needs = Needs::Code);

  const std::set<std::uint64_t>& addresses() const { return addresses_; }
  /// Whether the symbol is of a part of one of them, as "work._omp_fn.0".
  bool have_part(std::string_view symbol) const;

 private:
  void find_addresses(const SymbolTable& symbols);

  std::set<std::string> names_;  // as in the symbol table, without those of copies
  std::set<std::uint64_t> addresses_;
};

/// Parted at the commas, but for those between parameters or arguments of templates.
std::vector<std::string> function_list(std::string_view list);

}  // namespace warpfork::x86
