#include "compiler/diagnostics.h"

#include <algorithm>

namespace warpfork::compiler {

namespace {

constexpr std::string_view kInclusion = "In file included from ";

bool has(std::string_view line, std::string_view words) { return line.find(words) != std::string_view::npos; }

/// Takes a message with its notes off the text: up to the next one, or to the count of all.
std::string_view take_message(std::string_view& text) {
  std::size_t end = 0;
  bool has_begun = false;  // behind the lines that say where the file was included
  while (end < text.size()) {
    const std::string_view line = text.substr(end, text.find('\n', end) - end);
    const bool is_head = has(line, "warning: ") || has(line, "error: ");
    const bool is_count = has(line, " generated when compiling for ");
    if (has_begun && (is_head || is_count || line.starts_with(kInclusion))) break;
    has_begun = has_begun || !line.starts_with(kInclusion);
    end = std::min(end + line.size() + 1, text.size());
  }
  const std::string_view message = text.substr(0, end);
  text.remove_prefix(end);
  return message;
}

}  // namespace

std::string said_once(std::string_view device, std::string_view host) {
  std::string all;
  while (!device.empty()) {
    const std::string_view message = take_message(device);
    if (!has(message, " generated when compiling for ") && !has(host, message)) all += message;
  }
  return all.append(host);
}

}  // namespace warpfork::compiler
