// Which kernels a user means by a regular expression (--kernels).
#pragma once

#include <regex>
#include <string>

namespace warpfork::cuda {

/// Matches if the expression is found in any name of the kernel: as it stands in the PTX ("_ZN2ns1fIiEEvPT_"), as its
/// author wrote it ("ns::f<int>"), or that with its parameters ("void ns::f<int>(int*)"). `^` and `$` are the ends of
/// each.
class KernelFilter {
 public:
  /// A POSIX extended regular expression; empty = all kernels. Throws std::regex_error if it is none.
  explicit KernelFilter(const std::string& expression);

  bool matches(const std::string& ptx_name) const;

 private:
  bool all_;
  std::regex expression_;
};

}  // namespace warpfork::cuda
