#include "report/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <regex>

namespace warpfork::report {

namespace {

/// "void scale<float>(float*, int)" as "scale<float>".
std::string without_signature(const std::string& text) {
  std::size_t end = text.size();
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')' || text[i] == '>') ++depth;
    if (text[i] == '(' || text[i] == '<') --depth;
    if (depth == 0 && text[i] == '(' && end == text.size()) end = i;  // of the parameter list
    if (depth == 0 && text[i] == ' ' && end != text.size()) return text.substr(i + 1, end - i - 1);
  }
  return text.substr(0, end);
}

}  // namespace

std::string demangled_name(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         std::free);
  return name.starts_with("_Z") && status == 0 ? demangled.get() : name;
}

std::string readable_kernel_name(const std::string& name) {
  std::string readable = demangled_name(name);
  if (readable == name) return name;
  const std::string anonymous = "(anonymous namespace)::";
  for (std::size_t at; (at = readable.find(anonymous)) != std::string::npos;) readable.erase(at, anonymous.size());
  return without_signature(readable);
}

std::string with_readable_names(const std::string& text) {
  static const std::regex name("\\b_Z\\w+");
  std::string readable;
  auto from = text.begin();
  for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end; ++found) {
    readable.append(from, (*found)[0].first).append(readable_kernel_name(found->str()));
    from = (*found)[0].second;
  }
  return readable.append(from, text.end());
}

}  // namespace warpfork::report
