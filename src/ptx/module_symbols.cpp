#include "ptx/module_symbols.h"

#include <fmt/ranges.h>

#include "base/text.h"

namespace warpfork::ptx {

const ModuleSymbols::Symbol* ModuleSymbols::find(std::string_view name) const {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : &found->second;
}

void ModuleSymbols::declare(const Token& name, Symbol symbol) {
  if (!symbols_.emplace(name.text, symbol).second)
    source_.fail(name.position, fmt::format("'{}' is defined twice in this module", name.text), "rename one of them");
  order_.push_back(name.text);
}

void ModuleSymbols::use(const Token& name) {
  if (!has(name.text)) pending_.push_back(name);
}

void ModuleSymbols::check_uses() const {
  for (const Token& name : pending_) {
    if (has(name.text)) continue;
    const std::vector<std::string> known(order_.begin(), order_.end());
    source_.fail(name.position, fmt::format("'{}' is not declared", name.text),
                 known.empty() ? "this module declares no variables and no functions"
                               : fmt::format("nearest names of this module: {}",
                                             fmt::join(nearest_names(name.text, known), ", ")));
  }
}

}  // namespace warpfork::ptx
