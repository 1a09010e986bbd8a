// Names of C++ functions as their authors wrote them.
#pragma once

#include <string>

namespace warpfork {

/// A C++ name with its parameter list, as c++filt writes it; any other name stays as it is.
std::string demangled_name(const std::string& name);

/// Of a demangled name: "void scale<float>(float*, int)" as "scale<float>".
std::string without_signature(const std::string& demangled);

}  // namespace warpfork
