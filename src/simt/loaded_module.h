// A module placed in device memory, its kernels decoded.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"
#include "simt/code_options.h"
#include "simt/device_memory.h"
#include "simt/instruction_set.h"
#include "simt/program.h"

namespace warpfork::simt {

/// The entry as it is executed: calls inlined, but for those of system calls (lower/lower.h).
ptx::Function flat_code(const ptx::Module& module, const ptx::Function& entry);

/// Places the module's .global and .const variables, resolves every symbol and decodes every entry at once, so that
/// whatever is not supported fails here, naming instruction and line.
class LoadedModule {
 public:
  LoadedModule(ptx::Module module, DeviceMemory& memory, HostInstructionSet set = host_instruction_set(),
               const CodeOptions& code = {});

  const ptx::Module& module() const { return *module_; }
  /// Throws Error with the kernels' names if there is none of that name.
  const Program& kernel(std::string_view name) const;

  struct Symbol {
    std::uint64_t address = 0, bytes = 0;
  };
  /// A module-scope variable; null if there is none of that name.
  const Symbol* find_symbol(std::string_view name) const;

 private:
  std::unique_ptr<ptx::Module> module_;                    // Programs point into it
  std::vector<std::unique_ptr<ptx::Function>> functions_;  // what the Programs were decoded from
  std::map<std::string, Program, std::less<>> kernels_;
  std::map<std::string, Symbol, std::less<>> symbols_;
};

}  // namespace warpfork::simt
