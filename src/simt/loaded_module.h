// A module placed in device memory, its kernels decoded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ptx/module.h"
#include "simt/code_options.h"
#include "simt/device_memory.h"
#include "simt/instruction_set.h"
#include "simt/program.h"
#include "simt/symbol_table.h"

namespace warpfork::simt {

/// What a variable of a module takes of device memory: a texture or surface is what its handle names.
std::uint64_t device_bytes(const ptx::Variable& variable);

/// The entry as it is executed: calls inlined, but for those of system calls (lower/lower.h).
ptx::Function flat_code(const ptx::Module& module, const ptx::Function& entry,
                        std::uint32_t stack_bytes = lower::kStackBytes);

/// Of a kernel with something that is not supported: instruction, line and cause.
class RefusedKernel final : public Error {
 public:
  explicit RefusedKernel(const std::string& text) : Error(text) {}
};

/// Places the module's .global and .const variables, resolves every symbol and lowers and decodes its kernels, the code
/// of one behind that of the other: all at once where they are short, as compiled programs are. In a large module, as
/// libraries of templates make them, most are never launched: there each when it is first asked for, as CUDA loads
/// kernels (CUDA_MODULE_LOADING=LAZY).
class LoadedModule {
 public:
  LoadedModule(ptx::Module module, DeviceMemory& memory, HostInstructionSet set = host_instruction_set(),
               const CodeOptions& code = {});
  /// The same where the module lay at these places and its variables are in memory already, with what they hold; no
  /// other module may be. Throws Error for a variable that is not there.
  LoadedModule(ptx::Module module, const ModulePlaces& places, DeviceMemory& memory, HostInstructionSet set,
               const CodeOptions& code);

  const ptx::Module& module() const { return *module_; }
  /// Throws Error with the kernels' names if there is none of that name, RefusedKernel if it cannot be executed.
  const Program& kernel(std::string_view name);
  /// Likewise, with so few registers allocated that a block of so many threads fits into a core, if that can be and the
  /// kernel does not say how many its blocks have. The code of other kernels stays where it is.
  const Program& kernel(std::string_view name, unsigned block_threads);
  /// All of them now: returns how many cannot be executed. Throws RefusedKernel with the first if that is each of them;
  /// then the variables are freed.
  std::size_t decode_all();
  /// From now on kernels have stacks of at least so many bytes, those too that are decoded already.
  void grow_stacks(std::uint32_t bytes);
  /// Gives the memory of the variables back; nothing may be executed any more.
  void free_variables();

  using Symbol = PlacedVariable;
  /// A module-scope variable; null if there is none of that name.
  const Symbol* find_symbol(std::string_view name) const;

 private:
  void decode_if_short();
  const Program* find_kernel(const ptx::Function& entry);
  Program decode_entry(const ptx::Function& entry, const CodeOptions& code);
  [[noreturn]] void fail_without(std::string_view name) const;

  DeviceMemory& memory_;
  HostInstructionSet set_;
  CodeOptions code_;
  std::unique_ptr<ptx::Module> module_;                    // Programs point into it
  std::vector<std::unique_ptr<ptx::Function>> functions_;  // what the Programs were decoded from
  std::map<std::string, Program, std::less<>> kernels_;
  std::map<std::pair<std::string, unsigned>, Program> fitted_;  // by kernel and threads of a block
  std::map<std::string, std::string, std::less<>> refused_;     // why, by kernel
  std::unique_ptr<ModulePlaces> places_;                        // likewise
  DeviceSymbols symbols_;
};

}  // namespace warpfork::simt
