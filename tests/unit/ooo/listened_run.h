// Runs a small program on a core, with listeners.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ooo/core_listener.h"
#include "ooo/cores.h"
#include "unit/ooo/spmd_program.h"

namespace warpfork::ooo {

class NoSynchronisation final : public Synchronisation {
 public:
  bool passes(unsigned, const x86::SyncEvent&) override { return true; }
  void ended(unsigned) override {}
};

/// All threads of the machine run the program; `seed` decides where its branches go.
inline CoreCounts run_listened(const std::string& core, MachineSpec machine, const SpmdProgram& program, unsigned seed,
                               std::initializer_list<CoreListener*> listeners) {
  const CoreRecipe& recipe = find_core(core);
  machine = recipe.adapt(machine);
  std::vector<ThreadWindow> windows;
  for (unsigned thread = 0; thread < machine.warps * machine.threads; ++thread)
    windows.emplace_back(std::make_unique<SteppedStream>(program.run(thread, seed)));
  NoSynchronisation free;
  const x86::Code unknown;  // wrong paths end where they begin
  const std::unique_ptr<Core> made = recipe.make(machine, windows, unknown, free);
  for (CoreListener* const listener : listeners) listen(*made, *listener);
  while (made->cycle()) {
  }
  return made->counts();
}

}  // namespace warpfork::ooo
