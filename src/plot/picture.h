// A picture as gnuplot draws it: numbers, and commands that make a picture of them.
#pragma once

#include <string>

namespace warpfork::plot {

/// What all kinds of pictures are: text of the data file, and gnuplot's commands on it. Where these name the data file
/// they say kData.
struct Picture {
  static constexpr const char* kData = "@DATA@";

  std::string data, commands;
  double more_height = 0;  // mm, that turned labels take
};

/// As gnuplot reads a text, in scripts and in data: in double quotes.
std::string gnuplot_text(const std::string& text);

/// As it reads the name of a file: in single quotes, within which only they mean something.
std::string gnuplot_file(const std::string& name);

/// What a bar and what a line looks like, by number of the series: eight each, then they
/// come again. Colours are those of Okabe and Ito (jfly.uni-koeln.de/color), which people with any colour vision tell
/// apart; patterns, dashes and points still differ when printed in grey.
std::string fill_style(std::size_t series);
std::string line_style(std::size_t series, bool has_points);

}  // namespace warpfork::plot
