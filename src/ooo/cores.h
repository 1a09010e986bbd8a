// The visible list of CPU cores: a new one adds one line to cores.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ooo/core.h"
#include "ooo/machine_spec.h"
#include "ooo/synchronisation.h"
#include "ooo/thread_window.h"
#include "x86/code.h"

namespace warpfork::ooo {

struct CoreRecipe {
  std::string_view name;     // as on the command line
  std::string_view summary;  // one line
  std::string_view paper;
  bool renames;  // else RenameChecker has nothing to check
  /// Of a machine description, those that only some cores use: its own.
  std::span<const std::string_view> keys;
  /// What the core makes of a machine description: an SMT core, for one, has as many warps as threads.
  MachineSpec (*adapt)(const MachineSpec& machine);
  /// `machine` is an adapted one; `threads`: warps × threads of it.
  std::unique_ptr<Core> (*make)(const MachineSpec& machine, std::span<ThreadWindow> threads, const x86::Code& code,
                                Synchronisation& synchronisation);

  bool uses(std::string_view key) const;
};

/// All cores, in the order in which they are listed to the user.
std::span<const CoreRecipe> core_recipes();

std::vector<std::string> core_names();

/// Throws Error with the known names if there is none of that name.
const CoreRecipe& find_core(std::string_view name);

}  // namespace warpfork::ooo
