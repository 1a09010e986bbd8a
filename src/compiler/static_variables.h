// Another wrong translation of clang's, put right.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// Relocatable PTX in which a file's own variable that the host copies to or from has one name. clang (14 at least)
/// gives it another one for all files, `_ZL1x__static__` and the file's number, when it first comes to the host's use;
/// kernels before that go on to call it `_ZL1x`, which then is nobody's.
std::string with_static_names(std::string_view ptx);

}  // namespace warpfork::compiler
