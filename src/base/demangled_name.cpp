#include "base/demangled_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace warpfork {

std::string demangled_name(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         std::free);
  return name.starts_with("_Z") && status == 0 ? demangled.get() : name;
}

std::string without_signature(const std::string& demangled) {
  std::size_t end = demangled.size();
  int depth = 0;
  for (std::size_t i = demangled.size(); i-- > 0;) {
    if (demangled[i] == ')' || demangled[i] == '>') ++depth;
    if (demangled[i] == '(' || demangled[i] == '<') --depth;
    if (depth == 0 && demangled[i] == '(' && end == demangled.size()) end = i;  // of the parameter list
    if (depth == 0 && demangled[i] == ' ' && end != demangled.size()) return demangled.substr(i + 1, end - i - 1);
  }
  return demangled.substr(0, end);
}

}  // namespace warpfork
