#include "plot/picture.h"

#include <fmt/format.h>

#include <array>

namespace warpfork::plot {

namespace {

constexpr std::array<const char*, 8> kColours = {"#0072B2", "#E69F00", "#009E73", "#D55E00",
                                                 "#56B4E9", "#CC79A7", "#F0E442", "#000000"};
constexpr std::array<unsigned, 8> kPatterns = {3, 1, 4, 2, 5, 6, 7, 0};  // gnuplot's, of its svg and pdfcairo terminals
constexpr std::array<unsigned, 8> kPoints = {7, 9, 5, 4, 6, 8, 13, 2};   // likewise
constexpr std::size_t kDashes = 5;

}  // namespace

std::string gnuplot_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '\\') quoted += '\\';
    if (letter == '`')
      quoted += "\\140";  // as itself it would have a command run
    else
      quoted += letter == '"' ? '\'' : letter == '\n' ? ' ' : letter;
  }
  return quoted + '"';
}

std::string gnuplot_file(const std::string& name) {
  std::string quoted = "'";
  for (const char letter : name) quoted += letter == '\'' ? "''" : std::string(1, letter);
  return quoted + "'";
}

std::string fill_style(std::size_t series) {
  return fmt::format("linecolor rgb \"{}\" fillstyle pattern {} border -1", kColours[series % kColours.size()],
                     kPatterns[series % kPatterns.size()]);
}

std::string line_style(std::size_t series, bool has_points) {
  const std::string line = fmt::format("linecolor rgb \"{}\" dashtype {} linewidth 1.2",
                                       kColours[series % kColours.size()], series % kDashes + 1);
  return has_points ? fmt::format("{} pointtype {} pointsize 0.5", line, kPoints[series % kPoints.size()]) : line;
}

}  // namespace warpfork::plot
