// Lines over numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/picture.h"

namespace warpfork::plot {

struct Lines {
  struct Point {
    double x = 0;
    std::optional<double> y;  // nothing: the line is broken here
  };
  struct Series {
    std::string name;
    std::vector<Point> points;
  };

  std::string about;  // what the numbers are
  std::string x_title, y_title;
  bool has_points = false;  // a mark at each
  std::vector<Series> series;

  Picture picture() const;
};

}  // namespace warpfork::plot
