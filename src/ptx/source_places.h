// Whose lines instructions are (PTX ISA, ".loc", ".file"). What the compiler has taken from a function of the CUDA
// toolkit is the line's that calls it: that is the one that the program's author knows.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace warpfork::ptx {

struct SourcePlace {
  std::uint32_t file = 0, line = 0;

  auto operator<=>(const SourcePlace&) const = default;
};

class SourcePlaces {
 public:
  /// Of a module, whose `.file` directives may stand behind its functions.
  explicit SourcePlaces(std::string_view text);

  void begin_function() { callers_.clear(); }
  /// Of what stands behind this `.loc` of the function, in a function that is inlined there if it says so.
  SourcePlace place(SourcePlace loc, std::optional<SourcePlace> inlined_at);

 private:
  std::set<std::uint32_t> toolkit_files_;
  std::map<SourcePlace, SourcePlace> callers_;  // of inlined code, the latest one
};

}  // namespace warpfork::ptx
