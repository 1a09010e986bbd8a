// Which of a program's launches a user means (--launches).
#pragma once

#include <string_view>

#include "base/number_range.h"

namespace warpfork::report {

/// Launches are numbered from 1 on, in the order in which the program makes them. As number_range() reads it.
inline NumberRange launch_range(std::string_view text) { return number_range("--launches", text, 1); }

}  // namespace warpfork::report
