#include "compiler/late_alignment.h"

namespace warpfork::compiler {

bool has_late_attribute(std::string_view errors) {
  return errors.find("error: an attribute list cannot appear here") != std::string_view::npos;
}

}  // namespace warpfork::compiler
