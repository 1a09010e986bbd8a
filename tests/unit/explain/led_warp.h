// A block whose warps issue when the test says so, with one of them explained.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explain/warp_watch.h"
#include "simt/loaded_module.h"

namespace warpfork::explain {

class LedWarp {
 public:
  /// `body`: PTX that may use %r0 … %r9 (.b32) and %p0 … %p9. Warps have `warp_size` lanes.
  LedWarp(const std::string& body, const std::string& mechanism, unsigned threads, unsigned warp_size,
          const Request& request = {});

  /// The warp's split with these lanes issues one instruction in this cycle. Throws if it cannot.
  void issue(Cycle cycle, WarpId warp, const std::string& lanes);

  std::string text() { return watch_->text(); }
  std::string graphviz() const { return watch_->graphviz(); }
  report::Json frames() const { return watch_->frames(); }

 private:
  std::unique_ptr<simt::DeviceMemory> memory_ = std::make_unique<simt::DeviceMemory>(1 << 20);
  std::unique_ptr<simt::LoadedModule> loaded_;
  simt::Launch launch_;
  std::unique_ptr<WarpWatch> watch_;
  std::unique_ptr<gpu::ResidentBlock> block_;
};

/// A golden file's input, leading to what is told of the warp. Lines (# begins a comment):
///   mechanism NAME
///   threads 8 of warps of 4
///   explain 1                    the warp, 0 if not given
///   ptx … end                    the kernel's body, between these lines
///   CYCLE WARP LANES             that split issues; CYCLE-CYCLE: in each of these cycles
/// Throws for anything else.
std::string lead(const std::string& input);

}  // namespace warpfork::explain
