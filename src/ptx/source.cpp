#include "ptx/source.h"

#include <algorithm>

namespace warpfork::ptx {

namespace {

/// Longest piece of a line that a message shows.
constexpr std::size_t kShownBytes = 100;

struct Excerpt {
  std::string text;
  std::size_t caret = 0;
};

Excerpt excerpt_at(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::size_t before = text.substr(0, offset).find_last_of('\n');
  std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  while (begin < offset && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
  if (offset - begin > kShownBytes / 2) begin = offset - kShownBytes / 2;
  Excerpt excerpt{std::string(text.substr(begin, std::min(end - begin, kShownBytes))), offset - begin};
  for (char& c : excerpt.text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  return excerpt;
}

}  // namespace

void Source::fail(const Position& at, std::string_view message, std::string_view remedy) const {
  const Excerpt excerpt = excerpt_at(text_, at.offset);
  std::string whole = fmt::format("{}:{}:{}: error: {}\n    {}\n    {:>{}}", name_, at.line, at.column, message,
                                  excerpt.text, "^", excerpt.caret + 1);
  if (!remedy.empty()) whole += fmt::format("\n  {}", remedy);
  throw Error(whole);
}

}  // namespace warpfork::ptx
