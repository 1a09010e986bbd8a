#include "sweep/placeholders.h"

#include "base/error.h"

namespace warpfork::sweep {

std::string replace_placeholders(const std::string& text, const std::string& place, const ValueOfName& value_of) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{' && text[i] != '}') {
      out += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == text[i]) {
      out += text[i++];
    } else {
      const std::size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
      if (end == std::string::npos)
        throw Error("{}'{}': a brace without its other\n  write {{{{ and }}}} for braces themselves", place, text);
      out += value_of(text.substr(i + 1, end - i - 1), place);
      i = end;
    }
  }
  return out;
}

}  // namespace warpfork::sweep
