// Bars side by side or on top of each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/picture.h"

namespace warpfork::plot {

struct Bars {
  std::string about;  // what the numbers are
  std::string y_title;
  bool stacked = false;
  std::optional<double> reference;  // a line across
  std::vector<std::string> groups, series;
  std::vector<std::vector<std::optional<double>>> values;  // by group and series; nothing: no bar

  /// `width`: of the picture, mm: labels that have no room there are turned.
  Picture picture(double width) const;
};

}  // namespace warpfork::plot
