#include "report/kernel_name.h"

#include <regex>

#include "base/demangled_name.h"

namespace warpfork::report {

std::string readable_kernel_name(const std::string& name) {
  const std::string demangled = demangled_name(name);
  if (demangled == name) return name;
  static const std::regex unwritten(R"(\(anonymous namespace\)::|\[abi:[^\]]*\])");
  return without_signature(std::regex_replace(demangled, unwritten, ""));
}

std::string unscoped_name(const std::string& readable) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < readable.size(); ++i) {
    const char c = readable[i];
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (depth == 0 && c == ':' && readable[i + 1] == ':') begin = i + 2;
  }
  return readable.substr(begin);
}

bool names_kernel(const std::string& wanted, const std::string& kernel) {
  const std::string readable = readable_kernel_name(kernel);
  return wanted == kernel || wanted == readable || wanted == unscoped_name(readable);
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
