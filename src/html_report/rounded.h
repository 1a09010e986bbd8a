// Numbers that are drawn: five digits are more than a chart shows.
#pragma once

#include <fmt/format.h>

#include <cstdlib>

namespace warpfork::html_report {

/// 0.123456789 as 0.12346.
inline double rounded(double number) { return std::strtod(fmt::format("{:.5g}", number).c_str(), nullptr); }

}  // namespace warpfork::html_report
