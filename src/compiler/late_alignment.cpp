#include "compiler/late_alignment.h"

namespace warpfork::compiler {

bool has_late_attribute(std::string_view errors) {
  // Without the word in front, behind which a terminal's colours begin. The latter clang 14 says where the type behind
  // is a template's parameter.
  return errors.find("an attribute list cannot appear here") != std::string_view::npos ||
         errors.find("'alignas' attribute cannot be applied to types") != std::string_view::npos;
}

}  // namespace warpfork::compiler
