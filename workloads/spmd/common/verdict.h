// A program's last line: "ok", or "FAILED" and the first thing that was wrong.
#pragma once

#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace spmd {

class Verdict {
 public:
  // Fails with the printf-like message unless `right`.
  [[gnu::format(printf, 3, 4)]] void require(bool right, const char* format, ...) {
    if (right || failed_) return;
    failed_ = true;
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(message_, sizeof message_, format, arguments);
    va_end(arguments);
  }

  // Fails unless |got - expected| <= tolerance; a NaN never passes.
  void near(const char* what, int index, double got, double expected, double tolerance) {
    require(std::fabs(got - expected) <= tolerance, "%s %d: got %.9g, expected %.9g to %.2g", what, index, got,
            expected, tolerance);
  }

  // Prints the line and returns the program's exit status.
  int conclude() const {
    if (failed_)
      std::printf("FAILED %s\n", message_);
    else
      std::printf("ok\n");
    return failed_ ? 1 : 0;
  }

 private:
  bool failed_ = false;
  char message_[200] = "";
};

}  // namespace spmd
