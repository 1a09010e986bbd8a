// What CUDA's device runtime keeps of a running grid: the grids that its threads launch, and their last errors (CUDA
// C++ Programming Guide, "CUDA Dynamic Parallelism").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/types.h"
#include "simt/launch.h"

namespace warpfork::simt {

/// A grid that a thread launches.
struct DeviceGrid {
  std::string kernel;  // an entry of the module of the thread's kernel
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;  // of the kernel's size; zero as long as nobody knows them
  std::uint64_t launcher = 0;         // Launch::grid_id of the thread's grid
};

/// Of one running grid at a time. What its threads launch is to run when it has ended.
class DeviceRuntime {
 public:
  /// Whether there can be such a grid; who refuses it tells the user why.
  using Admits = std::function<bool(const DeviceGrid&)>;
  /// Where a thread's grid goes: to run before those behind it (cudaStreamTailLaunch), or before the others.
  static constexpr std::uint64_t kTailStream = 3;
  /// Label of the device memory that holds arguments.
  static constexpr std::string_view kArguments = "arguments of a device-side launch";

  explicit DeviceRuntime(Admits admits) : admits_(std::move(admits)) {}

  /// The grid of this launch begins; of the one before it nothing is left.
  void begin(const Launch& launch);
  /// Calls run(grid) for each that was launched since then. What that launches in turn, between begin() and its end,
  /// follows before the next one.
  template <class Run>
  void run_grids(Run&& run) {
    std::vector<DeviceGrid> waiting = take_grids();
    while (!waiting.empty()) {
      DeviceGrid next = std::move(waiting.back());
      waiting.pop_back();
      run(std::move(next));
      std::vector<DeviceGrid> launched = take_grids();
      waiting.insert(waiting.end(), std::make_move_iterator(launched.begin()), std::make_move_iterator(launched.end()));
    }
  }

  /// The entry at a code address; null if there is none.
  const ptx::Function* kernel_at(std::uint64_t address);
  bool admits(const DeviceGrid& grid) const { return admits_(grid); }
  /// Where in device memory the grid's arguments are to be written. Throws Error if there is no room.
  std::uint64_t prepare(DeviceGrid grid);
  /// The grid whose arguments lie there will run with them. False if none was prepared there.
  bool launch(std::uint64_t arguments, std::uint64_t stream);
  /// A number for a new stream or event, which none of the built-in ones has.
  std::uint64_t new_handle() { return ++last_handle_; }
  /// What cudaGetLastError gives the thread, by its numbers among blocks and in its block.
  std::uint32_t& last_error(std::uint64_t block, unsigned thread) { return last_errors_[{block, thread}]; }

 private:
  /// What was launched and has not run; the last one is to run first.
  std::vector<DeviceGrid> take_grids();

  Admits admits_;
  DeviceMemory* memory_ = nullptr;
  const ptx::Module* module_ = nullptr;
  std::uint64_t code_ = 0;  // its place
  std::uint64_t grid_id_ = 0;
  std::map<std::uint64_t, const ptx::Function*> kernels_;  // its entries whose addresses it takes, by address
  std::map<std::uint64_t, DeviceGrid> prepared_;           // by the address of their arguments
  std::vector<DeviceGrid> grids_, tail_;
  std::uint64_t last_handle_ = 0xff;
  std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> last_errors_;
};

}  // namespace warpfork::simt
