// Looking things up by their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace warpfork {

/// In their order.
template <class All>
std::vector<std::string> names_of(const All& all) {
  std::vector<std::string> names;
  for (const auto& one : all) names.emplace_back(one.name);
  return names;
}

/// The one of that name. Throws Error, in the words of no_such_name, if there is none. `what` is one of them, `plural`
/// all of them.
template <class All>
const auto& find_named(const All& all, std::string_view name, std::string_view what, std::string_view plural) {
  for (const auto& one : all)
    if (one.name == name) return one;
  throw Error("error: {}", no_such_name(what, name, plural, names_of(all)));
}

/// Throws Error for a name that the option's list has twice.
void require_distinct(std::string_view option, std::vector<std::string> names);

}  // namespace warpfork
