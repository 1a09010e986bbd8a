#include "compiler/late_alignment.h"

namespace warpfork::compiler {

bool has_late_attribute(std::string_view errors) {
  // The latter clang 14 says where the type behind is a template's parameter.
  return errors.find("error: an attribute list cannot appear here") != std::string_view::npos ||
         errors.find("error: 'alignas' attribute cannot be applied to types") != std::string_view::npos;
}

}  // namespace warpfork::compiler
