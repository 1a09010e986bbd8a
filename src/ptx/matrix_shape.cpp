#include "ptx/matrix_shape.h"

#include <charconv>
#include <string_view>

namespace warpfork::ptx {

namespace {

/// Takes `letter` and the number behind it off the text; 0 if that is not what it begins with.
unsigned take(std::string_view& text, char letter) {
  unsigned number = 0;
  if (text.empty() || text.front() != letter) return number;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (error == std::errc()) text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

std::optional<MatrixShape> matrix_shape(const Instruction& instruction) {
  for (const Modifier word : instruction.modifiers) {
    std::string_view text = to_string(word);
    MatrixShape shape;
    shape.m = take(text, 'm');
    shape.n = take(text, 'n');
    shape.k = take(text, 'k');
    if (shape.m != 0 && shape.n != 0 && text.empty()) return shape;
  }
  return std::nullopt;
}

unsigned elements_of_register(ScalarType type) {
  const unsigned bits = bits_of(type);
  return bits < 32 ? 32 / bits : 1;
}

}  // namespace warpfork::ptx
