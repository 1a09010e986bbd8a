// Files of options, as nvcc reads them (-optf) and CMake writes them.
#pragma once

#include <deque>
#include <span>
#include <string>

namespace warpfork::compiler {

/// The words with those of the file in the place of "-optf FILE", "--options-file=FILE,FILE" and so on. A file's words
/// are parted by white space; quotes and backslashes keep them together as in a shell. Throws Error for a file that
/// cannot be read, lacks the second of two quotes, or names itself.
std::deque<std::string> with_option_files(std::span<const std::string> words);

}  // namespace warpfork::compiler
