// Which entries of a registry use which keys of a machine description.
#pragma once

#include <algorithm>
#include <string_view>

namespace warpfork {

/// A key that some entries list among their `keys` is theirs alone; one that none lists is everybody's.
template <class One, class All>
bool uses_key(const One& one, std::string_view key, const All& all) {
  const auto lists = [&](const One& entry) { return std::ranges::find(entry.keys, key) != entry.keys.end(); };
  return lists(one) || std::ranges::none_of(all, lists);
}

}  // namespace warpfork
