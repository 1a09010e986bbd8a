#include "report/source_line.h"

#include <fmt/format.h>

namespace warpfork::report {

std::string place_text(const SourceLine& source, unsigned ptx_line) {
  return source.empty() ? fmt::format("PTX line {}", ptx_line) : fmt::format("{}:{}", source.file, source.line);
}

}  // namespace warpfork::report
