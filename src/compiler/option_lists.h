// Values of nvcc's options that are lists: their items stand between commas.
#pragma once

#include <string>
#include <vector>

namespace warpfork::compiler {

/// "inc/a" and "inc/b" of "inc/a,inc/b". A comma behind a backslash, or within quotation marks, which stay, is part of
/// an item; there are no empty ones.
std::vector<std::string> list_items(const std::string& list);

/// Likewise for another program's words (-Xcompiler): parted at blanks, too, and without quotation marks, as the shell
/// leaves them that nvcc calls.
std::vector<std::string> list_words(const std::string& list);

}  // namespace warpfork::compiler
