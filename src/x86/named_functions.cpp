#include "x86/named_functions.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/demangled_name.h"
#include "base/error.h"
#include "base/text.h"
#include "x86/marked_functions.h"

namespace warpfork::x86 {

namespace {

/// Whether the rest of a name, as ".constprop.0.isra.1", says that it is of a copy or a part that GCC or clang made of
/// the function and calls in its place. What it puts aside (".cold") is jumped to from within.
bool is_of_a_copy(std::string_view rest) {
  constexpr std::array<std::string_view, 5> kKinds = {".part.", ".constprop.", ".isra.", ".lto_priv.", ".llvm."};
  while (!rest.empty()) {
    const auto kind = std::ranges::find_if(kKinds, [&](const std::string_view each) { return rest.starts_with(each); });
    if (kind == kKinds.end()) return false;
    rest.remove_prefix(kind->size());
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits == 0) return false;
    rest.remove_prefix(digits);
  }
  return true;
}

using Needs = NamedFunctions::Needs;

/// The name of the function that the symbol is of, or of which it is a copy, or a body. Empty: of none.
std::string original(const Symbol& symbol, Needs needs = Needs::Code) {
  const std::size_t end = std::min(symbol.name.find('.'), symbol.name.size());
  const std::string_view rest = std::string_view(symbol.name).substr(end);
  const bool is_one = is_of_a_copy(rest) || (needs == Needs::CodeOrBodies && is_region_body(symbol.name));
  return symbol.is_function && is_one ? symbol.name.substr(0, end) : "";
}

/// The functions of C++ that are called so, with or without their parameters: names of the symbol table by those that
/// people read.
std::map<std::string, std::set<std::string>> demangled_as(const std::string& name, const SymbolTable& symbols,
                                                          Needs needs) {
  std::map<std::string, std::set<std::string>> found;
  for (const Symbol& symbol : symbols.all()) {
    const std::string mangled = original(symbol, needs), readable = demangled_name(mangled);
    if (readable != mangled && (readable == name || without_signature(readable) == name))
      found[readable].insert(mangled);
  }
  return found;
}

/// Of "Grid<double>::sweep<int>(int)" "Grid<double>::sweep".
std::string without_template_arguments(const std::string& readable) {
  const std::string name = without_signature(readable);
  if (!name.ends_with('>')) return name;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>') ++depth;
    if (name[i] == '<' && --depth == 0) return name.substr(0, i);
  }
  return name;
}

/// Those that are called so in some namespace or type, or with some template arguments; if there is none, all.
std::vector<std::string> what_may_be_meant(const std::string& name, const SymbolTable& symbols) {
  std::set<std::string> all, meant;
  for (const Symbol& symbol : symbols.all()) {
    const std::string function = original(symbol);
    if (function.empty()) continue;
    const std::string readable = name.starts_with("_Z") ? function : demangled_name(function);
    const std::string plain = without_template_arguments(readable);
    if (plain == name || plain.ends_with("::" + name)) meant.insert(readable);
    all.insert(readable);
  }
  const std::set<std::string>& known = meant.empty() ? all : meant;
  return {known.begin(), known.end()};
}

[[noreturn]] void unknown(const std::string& name, const SymbolTable& symbols, const std::string& program) {
  const std::vector<std::string> known = what_may_be_meant(name, symbols);
  throw Error(
      "{}: has no function '{}'\n  near names: {}\n  one that was inlined has no name: "
      "__attribute__((noinline)) keeps it",
      program, name, fmt::join(nearest_names(name, known), ", "));
}

/// Whether an angle behind it belongs to the name, as in operator< and operator<=>.
bool ends_in_operator(std::string_view name) {
  return name.substr(0, name.find_last_not_of("<>=-") + 1).ends_with("operator");
}

}  // namespace

std::vector<std::string> function_list(std::string_view list) {
  std::vector<std::string> functions(1);
  unsigned depth = 0;
  for (const char letter : list) {
    const bool brackets = letter == '(' || letter == ')' || !ends_in_operator(functions.back());
    if (brackets && (letter == '(' || letter == '<')) ++depth;
    if (brackets && (letter == ')' || letter == '>') && depth != 0) --depth;
    if (letter == ',' && depth == 0)
      functions.emplace_back();
    else
      functions.back() += letter;
  }
  return functions;
}

NamedFunctions::NamedFunctions(const std::string& name, const SymbolTable& symbols, const std::string& program,
                               Needs needs)
    : names_{name} {
  find_addresses(symbols);
  const auto is_of_it = [&](const Symbol& symbol) { return original(symbol, needs) == name; };
  if (!addresses_.empty() || std::ranges::any_of(symbols.all(), is_of_it)) return;
  const std::map<std::string, std::set<std::string>> found = demangled_as(name, symbols, needs);
  if (found.empty()) unknown(name, symbols, program);
  const auto exact = found.find(name);
  if (exact == found.end() && found.size() > 1) {
    std::vector<std::string> all;
    for (const auto& function : found) all.push_back(function.first);
    throw Error("{}: has several functions '{}'\n  give one with its parameters:\n    {}", program, name,
                fmt::join(all, "\n    "));
  }
  names_ = exact != found.end() ? exact->second : found.begin()->second;
  find_addresses(symbols);
}

bool NamedFunctions::have_part(std::string_view symbol) const {
  return std::ranges::any_of(names_, [&](const std::string& name) { return symbol.starts_with(name + "."); });
}

void NamedFunctions::find_addresses(const SymbolTable& symbols) {
  for (const Symbol& symbol : symbols.all())
    for (const std::string& name : names_)
      if (symbol.is_function && symbol.name.starts_with(name) &&
          is_of_a_copy(std::string_view(symbol.name).substr(name.size())))
        addresses_.insert(symbol.address);
}

}  // namespace warpfork::x86
