#include "simulation/output_difference.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <vector>

#include "base/error.h"

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

/// What kernels print comes in the order in which a mechanism executes them.
void require_same_lines(const std::string& first_name, const process::Outcome& first, const std::string& second_name,
                        const process::Outcome& second) {
  if (sorted_lines(first.output) == sorted_lines(second.output)) return;
  throw Error(
      "the standard output has other lines under '{}' than under '{}'\n  kernels print in it, in the order in which "
      "the "
      "mechanism executes them: let each call of printf print whole lines",
      second_name, first_name);
}

void require_same_text(const std::string& first_name, const std::string& first, const std::string& second_name,
                       const std::string& second) {
  if (first == second) return;
  const auto place = static_cast<std::size_t>(std::ranges::mismatch(first, second).in1 - first.begin());
  const auto line = 1 + std::count(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(place), '\n');
  throw Error("the standard output differs in line {}\n  under '{}': {}\n  under '{}': {}", line, first_name,
              line_at(first, place), second_name, line_at(second, place));
}

void require_same_buffer(const std::string& first_name, const process::BufferImage& first,
                         const std::string& second_name, const process::BufferImage& second) {
  const auto differ = std::ranges::mismatch(first.bytes, second.bytes);
  if (differ.in1 == first.bytes.end()) return;
  throw Error("buffer '{}' differs at byte {}: 0x{:02x} under '{}', 0x{:02x} under '{}'", first.name,
              differ.in1 - first.bytes.begin(), static_cast<unsigned>(*differ.in1), first_name,
              static_cast<unsigned>(*differ.in2), second_name);
}

}  // namespace

void require_same_output(const std::string& first_name, const process::Outcome& first, const std::string& second_name,
                         const process::Outcome& second) {
  if (first.status != second.status)
    throw Error("the exit status is {} under '{}', but {} under '{}'", first.status, first_name, second.status,
                second_name);
  if (first.kernels_printed && second.kernels_printed)
    require_same_lines(first_name, first, second_name, second);
  else
    require_same_text(first_name, first.output, second_name, second.output);
  for (std::size_t i = 0; i < first.buffers.size(); ++i)
    require_same_buffer(first_name, first.buffers[i], second_name, second.buffers[i]);
}

}  // namespace warpfork::simulation
