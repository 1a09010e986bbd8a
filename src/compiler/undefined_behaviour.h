// What C++ leaves undefined and nvcc compiles as it is written.
#pragma once

#include <string>
#include <vector>

namespace warpfork::compiler {

/// Which programs clang may take for impossible; by default neither.
struct UndefinedBehaviour {
  bool unset_values = false;  // -fstrict-return: a function that ends without its value, an unset value passed
  bool other_types = false;   // -fstrict-aliasing: memory written as one type and read as another
};

/// Words of clang's for both passes over a file. CUDA programs rest on what nvcc makes of such code: a variable that
/// only the leader of a warp has set goes into a shuffle, one piece of shared memory holds two types.
std::vector<std::string> words_of(const UndefinedBehaviour& impossible, unsigned clang_version);

}  // namespace warpfork::compiler
