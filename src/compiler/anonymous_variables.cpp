#include "compiler/anonymous_variables.h"

#include <charconv>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::string_view kLinkage = " = internal addrspace(", kOfFunction = "_ZZ";

std::string as_the_hosts(std::string_view line) {
  std::string changed(line);
  const auto linkage = line.find(kLinkage);
  if (!line.starts_with('@') || linkage == std::string_view::npos) return changed;
  const std::string_view name = line.substr(1, linkage - 1);
  if (name.starts_with(kOfFunction) || is_static(name)) return changed;
  for (const std::string_view space : {" = internal addrspace(1) global ", " = internal addrspace(4) global "})
    if (line.substr(linkage).starts_with(space)) {
      changed.insert(linkage + space.find("global"), "externally_initialized ");
      changed.erase(linkage + space.find("internal"), std::string_view("internal ").size());
    }
  return changed;
}

}  // namespace

/// The Itanium ABI has the letter L before the length of such a name, the last one: _ZL1x, _ZN5outerL1xE.
bool is_static(std::string_view name) {
  for (auto at = name.find('L'); at != std::string_view::npos; at = name.find('L', at + 1)) {
    std::size_t length = 0;
    const char* const last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data() + at + 1, last, length);
    const auto rest = static_cast<std::size_t>(last - end);
    if (error == std::errc() && (rest == length || (rest == length + 1 && name.ends_with('E')))) return true;
  }
  return false;
}

std::string with_anonymous_variables(std::string_view llvm) { return each_line(llvm, as_the_hosts); }

}  // namespace warpfork::compiler
