#include "plot/lines.h"

#include <fmt/format.h>

namespace warpfork::plot {

namespace {

/// A block for each series, two empty lines between them. A missing value must not be an empty line: two of them would
/// end the block. At NaN gnuplot breaks the line.
std::string data_of(const Lines& lines) {
  std::string text = "# " + lines.about + '\n';
  for (const Lines::Series& series : lines.series) {
    if (&series != &lines.series.front()) text += "\n\n";
    text += "# " + series.name + '\n';
    for (const Lines::Point& point : series.points)
      text += fmt::format("{:.10g} ", point.x) + (point.y ? fmt::format("{:.5g}\n", *point.y) : "NaN\n");
  }
  return text;
}

}  // namespace

Picture Lines::picture() const {
  std::string text = fmt::format(
      "set grid ytics linetype 0\nset yrange [0:*]\n"
      "set xlabel {}\nset ylabel {}\n",
      gnuplot_text(x_title), gnuplot_text(y_title));
  for (std::size_t i = 0; i < series.size(); ++i)
    text += fmt::format("{} {} index {} using 1:2 with {} title {} {}", i == 0 ? "plot" : "    ",
                        i == 0 ? gnuplot_text(Picture::kData) : "\"\"", i, has_points ? "linespoints" : "lines",
                        gnuplot_text(series[i].name), line_style(i, has_points)) +
            (i + 1 < series.size() ? ", \\\n" : "\n");
  return {data_of(*this), text};
}

}  // namespace warpfork::plot
