#include "compiler/entry_directives.h"

#include <fmt/format.h>

#include "compiler/each_line.h"

namespace warpfork::compiler {

std::string with_register_limit(std::string_view ptx, unsigned registers) {
  bool in_head = false, has_bounds = false;
  return each_line(ptx, [&](std::string_view line) -> std::string {
    if (line.find(".entry ") != std::string_view::npos) {
      in_head = true;
      has_bounds = false;
    }
    if (line.starts_with(".maxntid")) has_bounds = true;
    if (!in_head || line != "{") return std::string(line);
    in_head = false;
    return has_bounds ? "{" : fmt::format(".maxnreg {}\n{{", registers);
  });
}

std::string with_target(std::string_view ptx, unsigned architecture) {
  return each_line(ptx, [&](std::string_view line) {
    return line.starts_with(".target ") ? fmt::format(".target sm_{}", architecture) : std::string(line);
  });
}

}  // namespace warpfork::compiler
