// A variable for a function that is being put together.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warpfork::lower {

/// One like `variable`, unless the function has one of that name already.
inline void add_variable(ptx::Function& function, const ptx::Variable& variable, const std::string& name) {
  for (const ptx::Variable& known : function.variables)
    if (known.name == name) return;
  function.variables.push_back(variable);
  function.variables.back().name = name;
}

}  // namespace warpfork::lower
