// A line of the program's source, from `.loc`.
#pragma once

#include <string>

namespace warpfork::report {

struct SourceLine {
  std::string file;  // name without folder; empty = unknown
  unsigned line = 0;

  bool empty() const { return file.empty(); }

  template <class Visitor>
  void visit(Visitor&& v) {
    v.fact("file", file, "text", "its name without the folder");
    v.fact("line", line, "line number", "there");
  }
};

/// "kernel.cu:17", or "PTX line 60" where only that is known.
std::string place_text(const SourceLine& source, unsigned ptx_line);

}  // namespace warpfork::report
