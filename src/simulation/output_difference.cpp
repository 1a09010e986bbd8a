#include "simulation/output_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <vector>

namespace warpfork::simulation {

namespace {

/// The line of `text` that holds byte `place`.
std::string line_at(const std::string& text, std::size_t place) {
  const std::size_t before = place == 0 ? std::string::npos : text.rfind('\n', place - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, std::min(text.find('\n', place), text.size()) - begin);
}

/// The lines in alphabetical order.
std::string sorted_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line + '\n');
  std::ranges::sort(lines);
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// One sign for each number (7, -0.5, 1e-3, 0x7f), with the blanks before it, by which columns are aligned.
std::string without_numbers(const std::string& text) {
  std::string rest;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i]) || (i > 0 && is_word(text[i - 1]))) {
      rest += text[i++];
      continue;
    }
    while (i < text.size() && (is_word(text[i]) || (text[i] == '.' && i + 1 < text.size() && is_digit(text[i + 1])) ||
                               ((text[i] == '-' || text[i] == '+') && (text[i - 1] == 'e' || text[i - 1] == 'E'))))
      ++i;
    while (!rest.empty() && (rest.back() == ' ' || rest.back() == '-' || rest.back() == '+')) rest.pop_back();
    rest += '#';
  }
  return rest;
}

/// What kernels print comes in the order in which a mechanism executes them.
std::optional<OutputDifference> line_difference(const std::string& first_name, const std::string& first,
                                                const std::string& second_name, const std::string& second) {
  if (sorted_lines(first) == sorted_lines(second)) return std::nullopt;
  return OutputDifference{
      fmt::format("the standard output has other lines under '{}' than under '{}'\n  kernels print in it, in the order "
                  "in which the mechanism executes them: let each call of printf print whole lines",
                  second_name, first_name),
      sorted_lines(without_numbers(first)) == sorted_lines(without_numbers(second))};
}

std::optional<OutputDifference> text_difference(const std::string& first_name, const std::string& first,
                                                const std::string& second_name, const std::string& second) {
  if (first == second) return std::nullopt;
  const auto place = static_cast<std::size_t>(std::ranges::mismatch(first, second).in1 - first.begin());
  const auto line = 1 + std::count(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(place), '\n');
  return OutputDifference{fmt::format("the standard output differs in line {}\n  under '{}': {}\n  under '{}': {}",
                                      line, first_name, line_at(first, place), second_name, line_at(second, place)),
                          without_numbers(first) == without_numbers(second)};
}

std::optional<OutputDifference> buffer_difference(const std::string& first_name, const process::BufferImage& first,
                                                  const std::string& second_name, const process::BufferImage& second) {
  const auto differ = std::ranges::mismatch(first.bytes, second.bytes);
  if (differ.in1 == first.bytes.end()) return std::nullopt;
  return OutputDifference{fmt::format("buffer '{}' differs at byte {}: 0x{:02x} under '{}', 0x{:02x} under '{}'",
                                      first.name, differ.in1 - first.bytes.begin(), static_cast<unsigned>(*differ.in1),
                                      first_name, static_cast<unsigned>(*differ.in2), second_name)};
}

}  // namespace

std::optional<OutputDifference> output_difference(const std::string& first_name, const process::Outcome& first,
                                                  const std::string& second_name, const process::Outcome& second) {
  if (first.status != second.status)
    return OutputDifference{fmt::format("the exit status is {} under '{}', but {} under '{}'", first.status, first_name,
                                        second.status, second_name)};
  for (std::size_t i = 0; i < first.buffers.size(); ++i)
    if (auto difference = buffer_difference(first_name, first.buffers[i], second_name, second.buffers[i]))
      return difference;
  return (first.kernels_printed && second.kernels_printed ? line_difference : text_difference)(
      first_name, first.output, second_name, second.output);
}

}  // namespace warpfork::simulation
