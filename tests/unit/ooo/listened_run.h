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

/// `threads`: what each does, as many as the machine has.
inline CoreCounts run_listened(const std::string& core, const MachineSpec& machine,
                               std::vector<std::vector<SpmdProgram::Step>> threads, Synchronisation& synchronisation,
                               std::initializer_list<CoreListener*> listeners) {
  const CoreRecipe& recipe = find_core(core);
  std::vector<ThreadWindow> windows;
  for (std::vector<SpmdProgram::Step>& steps : threads)
    windows.emplace_back(std::make_unique<SteppedStream>(std::move(steps)));
  const x86::Code unknown;  // wrong paths end where they begin
  const std::unique_ptr<Core> made = recipe.make(recipe.adapt(machine), windows, unknown, synchronisation);
  for (CoreListener* const listener : listeners) made->listen(*listener);
  while (made->cycle()) {
  }
  return made->counts();
}

/// Nobody waits for another.
inline CoreCounts run_listened(const std::string& core, const MachineSpec& machine,
                               std::vector<std::vector<SpmdProgram::Step>> threads,
                               std::initializer_list<CoreListener*> listeners) {
  NoSynchronisation free;
  return run_listened(core, machine, std::move(threads), free, listeners);
}

/// All threads of the machine run the program; `seed` decides where its branches go.
inline CoreCounts run_listened(const std::string& core, const MachineSpec& machine, const SpmdProgram& program,
                               unsigned seed, std::initializer_list<CoreListener*> listeners) {
  std::vector<std::vector<SpmdProgram::Step>> threads;
  for (unsigned thread = 0; thread < machine.warps * machine.threads; ++thread)
    threads.push_back(program.run(thread, seed));
  return run_listened(core, machine, std::move(threads), listeners);
}

}  // namespace warpfork::ooo
