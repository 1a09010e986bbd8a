#include "plot/bars.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpfork::plot {

namespace {

constexpr double kLetterWidth = 1.5;    // mm, of 8 points
constexpr double kPlotPart = 0.85;      // of the width, beside the axis
constexpr double kTurnedHeight = 0.57;  // sin 35 degrees

std::string data_of(const Bars& bars) {
  std::string text = "# " + bars.about + "\n\"\"";
  for (const std::string& name : bars.series) text += ' ' + gnuplot_text(name);
  for (std::size_t group = 0; group < bars.groups.size(); ++group) {
    text += '\n' + gnuplot_text(bars.groups[group]);
    for (const std::optional<double>& value : bars.values[group]) text += value ? fmt::format(" {:.5g}", *value) : " ?";
  }
  return text + '\n';
}

/// mm, of the longest label.
double label_width(const Bars& bars) {
  std::size_t longest = 0;
  for (const std::string& group : bars.groups) longest = std::max(longest, group.size());
  return static_cast<double>(longest + 1) * kLetterWidth;
}

}  // namespace

Picture Bars::picture(double width) const {
  const double room = width * kPlotPart / static_cast<double>(std::max<std::size_t>(groups.size(), 1));
  const bool turned = label_width(*this) > room;
  std::string text = fmt::format(
      "set style data histograms\n"
      "set style histogram {}\n"
      "set boxwidth {}\n"
      "set xtics nomirror scale 0{}\n"
      "set grid ytics linetype 0\n"
      "set yrange [0:{}]\n"
      "set ylabel {}\n",
      stacked ? "rowstacked" : "clustered gap 1", stacked ? "0.7" : "0.9", turned ? " rotate by 35 right" : "",
      stacked ? "100" : "*", gnuplot_text(y_title));
  if (reference)
    text +=
        fmt::format("set arrow from graph 0, first {0} to graph 1, first {0} nohead linewidth 0.7 front\n", *reference);
  for (std::size_t i = 0; i < series.size(); ++i)
    text += fmt::format("{} {} using {}{} title columnheader({}) {}", i == 0 ? "plot" : "    ",
                        i == 0 ? gnuplot_text(Picture::kData) : "\"\"", i + 2, i == 0 ? ":xtic(1)" : "", i + 2,
                        fill_style(i)) +
            (i + 1 < series.size() ? ", \\\n" : "\n");
  return {data_of(*this), text, turned ? label_width(*this) * kTurnedHeight : 0};
}

}  // namespace warpfork::plot
