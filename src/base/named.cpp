#include "base/named.h"

#include <algorithm>

namespace warpfork {

void require_distinct(std::string_view option, std::vector<std::string> names) {
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) throw Error("{}: '{}' is named twice", option, *twice);
}

}  // namespace warpfork
