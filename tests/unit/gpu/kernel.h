// A kernel around a few PTX instructions, run on a simulated GPU: its one parameter is the address of `out`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/device.h"
#include "simt/loaded_module.h"

namespace warpfork::gpu {

class Kernel {
 public:
  /// The body may use %r0 … %r19 (.b32), %d0 … %d9 (.b64), %p0 … %p9, %out, the address of `words` zeroed words, and
  /// %mine, the address of the thread's own word there; `module` stands before the kernel. `code`: what the machine
  /// asks of it.
  Kernel(std::string_view body, Dim3 grid, Dim3 block, std::size_t words = 4096, std::string_view module = "",
         const simt::CodeOptions& code = {});

  /// On a fresh device.
  report::LaunchRecord run(const MachineSpec& spec, const LaunchOptions& options = {}) const;
  /// On this one.
  report::LaunchRecord run(Device& device, const LaunchOptions& options = {}) const;
  /// The text of the Error that a run ends with, or why it was cut off; empty if it ends well.
  std::string error(const MachineSpec& spec, const LaunchOptions& options = {}) const;

  std::vector<std::uint32_t> out() const;
  void clear_out() const;
  simt::Launch& launch() { return launch_; }
  const simt::Program& program() const { return *launch_.program; }

 private:
  std::unique_ptr<simt::DeviceMemory> memory_;
  std::unique_ptr<simt::LoadedModule> loaded_;
  std::uint64_t out_;
  std::size_t words_;
  simt::Launch launch_;
};

/// Two warps at a branch that their threads with an odd %r2 take: sides of 2 and of 1 instructions, then a store.
/// `part`: computes %r2; the branch is the third instruction behind it.
Kernel if_else(std::string_view part);

/// `count` times the line, each ended.
std::string repeated(unsigned count, std::string_view line);

}  // namespace warpfork::gpu
