#include "report/kernel_name.h"

#include <regex>

#include "base/demangled_name.h"

namespace warpfork::report {

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
