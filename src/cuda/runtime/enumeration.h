// Enumerations in structures that a C program has filled.
#pragma once

#include <cstring>

namespace warpfork::cuda {

/// The number there, which need not be one of the enumeration's: to load it as such would be undefined.
template <typename Enumeration>
int number_in(const Enumeration& value) {
  int number = 0;
  static_assert(sizeof value == sizeof number);
  std::memcpy(&number, &value, sizeof number);
  return number;
}

}  // namespace warpfork::cuda
