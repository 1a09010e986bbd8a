// A variable for a function that is being put together.
#pragma once

#include <algorithm>
#include <string>

#include "ptx/module.h"

namespace warpfork::lower {

/// One like `variable`, of a name that the function does not have.
inline void add_new_variable(ptx::Function& function, const ptx::Variable& variable, const std::string& name) {
  function.variables.push_back(variable);
  function.variables.back().name = name;
}

/// The same, unless the function has one of that name already. Looks at all of them: a function of many inlined calls
/// has tens of thousands.
inline void add_variable(ptx::Function& function, const ptx::Variable& variable, const std::string& name) {
  if (std::ranges::find(function.variables, name, &ptx::Variable::name) == function.variables.end())
    add_new_variable(function, variable, name);
}

}  // namespace warpfork::lower
