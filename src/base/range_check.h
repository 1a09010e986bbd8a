// Whether the numbers of a description are within the bounds that it gives them.
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/range.h"

namespace warpfork {

/// Visits a description (config/field.h says what its visit() lists). Throws Error that names the first integer outside
/// its Range; `path` stands before the names: "core.".
class RangeCheck {
 public:
  explicit RangeCheck(std::string path) : path_(std::move(path)) {}

  template <class Value>
  void operator()(std::string_view name, Value& value, std::string_view, Range range = {}) const {
    if constexpr (requires { value.visit(*this); })
      value.visit(RangeCheck(path_ + std::string(name) + "."));
    else if constexpr (std::unsigned_integral<Value>)
      check(name, value, range, std::numeric_limits<Value>::max());
  }

 private:
  void check(std::string_view name, std::uint64_t value, Range range, std::uint64_t most) const {
    if (value < range.least && range.most >= most)
      throw Error("{}{} is {}; it must be at least {}", path_, name, value, range.least);
    if (value < range.least || value > range.most)
      throw Error("{}{} is {}; {} to {} are supported", path_, name, value, range.least, range.most);
  }

  std::string path_;
};

}  // namespace warpfork
