#include "compiler/entry_directives.h"

#include <fmt/format.h>

#include <charconv>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::string_view kBlocks = ".minnctapersm ";
constexpr unsigned kMark = 0x1000000;  // more blocks than a core could hold

}  // namespace

std::string with_limits_of_kernels(std::string_view ptx) {
  return each_line(ptx, [](std::string_view line) {
    unsigned blocks = 0;
    if (line.starts_with(kBlocks)) std::from_chars(line.data() + kBlocks.size(), line.data() + line.size(), blocks);
    return blocks > kMark ? fmt::format(".maxnreg {}", blocks - kMark) : std::string(line);
  });
}

std::string with_target(std::string_view ptx, unsigned architecture) {
  return each_line(ptx, [&](std::string_view line) {
    return line.starts_with(".target ") ? fmt::format(".target sm_{}", architecture) : std::string(line);
  });
}

}  // namespace warpfork::compiler
