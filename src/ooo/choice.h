// What a core does where SIMT-X leaves it open: one of a few ways, chosen by name.
#pragma once

#include <string_view>

#include "base/named.h"

namespace warpfork::ooo {

template <class Value>
struct Choice {
  std::string_view name;     // as on the command line
  std::string_view summary;  // one line
  Value value;
};
template <class Value>
Choice(const char*, const char*, Value) -> Choice<Value>;  // clang 14 does not deduce it by itself

/// The value of that name. Throws Error with the known names if there is none; `what` is one of them.
template <class Choices>
auto chosen(const Choices& choices, std::string_view name, std::string_view what) {
  return find_named(choices, name, what, "choices").value;
}

}  // namespace warpfork::ooo
