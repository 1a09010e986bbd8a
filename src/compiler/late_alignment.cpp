#include "compiler/late_alignment.h"

#include "compiler/each_line.h"

namespace warpfork::compiler {

bool has_late_attribute(std::string_view errors) {
  // Without the word in front, behind which a terminal's colours begin. The latter clang 14 says where the type behind
  // is a template's parameter.
  return mentions(errors, "an attribute list cannot appear here") ||
         mentions(errors, "'alignas' attribute cannot be applied to types");
}

}  // namespace warpfork::compiler
