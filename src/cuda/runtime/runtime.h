// The CUDA runtime of one process, without its C interface: memory, code, streams, launches on a simulated GPU.
#pragma once

#include <driver_types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "cuda/device_description.h"
#include "cuda/launch_sink.h"
#include "cuda/runtime/cuda_arrays.h"
#include "cuda/runtime/graphs.h"
#include "cuda/runtime/host_guard.h"
#include "cuda/runtime/image_objects.h"
#include "cuda/runtime/image_references.h"
#include "cuda/runtime/kernel_registry.h"
#include "cuda/runtime/memory_pools.h"
#include "cuda/runtime/memory_space.h"
#include "cuda/runtime/stream_captures.h"
#include "cuda/runtime/timeline.h"
#include "simt/device_memory.h"
#include "simt/device_runtime.h"

namespace warpfork::cuda {

/// Not safe for concurrent use: the C interface serialises its callers.
class Runtime {
 public:
  /// Is given what a kernel printed when its launch has ended, if it printed anything.
  using Printer = std::function<void(const std::string& text)>;
  /// Hears of each grid that has ended, or was cut off.
  using Recorder = std::function<void(const report::LaunchRecord& record)>;

  /// `program_name` stands in messages.
  Runtime(DeviceDescription device, std::string program_name, std::unique_ptr<LaunchSink> sink, Printer printer,
          Recorder recorder);

  /// As the program sees it: with the compute capability that its PTX asks for where the description leaves it open.
  DeviceDescription device();
  /// From now on a program without PTX of its own, which may make some for the device that it is told, is told one that
  /// its tools still know.
  void expect_loaded_code();
  MemorySpace& memory() { return memory_; }
  MemoryPools& pools() { return pools_; }
  CudaArrays& arrays() { return arrays_; }
  ImageObjects& images() { return images_; }
  ImageReferences& references() { return references_; }
  KernelRegistry& registry() { return registry_; }
  Timeline& timeline() { return timeline_; }
  Graphs& graphs() { return graphs_; }
  StreamCaptures& captures() { return captures_; }
  /// By cudaLimit. What a program sets it reads back; all but the stack's size matter on real devices only.
  std::array<std::size_t, 7>& limits() { return limits_; }
  /// What `pointer` points into: a managed variable is managed memory.
  cudaMemoryType type_of(const void* pointer) const;

  /// Runs the kernel to its end, and what its threads launch. `arguments` points to as many pointers as the kernel has
  /// parameters. Throws ApiError: for a launch that cannot be, or (then the device is lost, as on real hardware: every
  /// later call fails alike) for a kernel that failed or was cut off.
  void launch(const RegisteredKernel& kernel, Dim3 grid, Dim3 block, void** arguments,
              std::uint64_t dynamic_shared_bytes, bool is_cooperative = false);
  /// What the user is to know since the last question: of code that was loaded, of device-side launches that were
  /// refused.
  std::vector<std::string> take_notes();
  /// From now on device memory is closed to the host while no call runs, and who touches it is told, if the sink
  /// watches memory.
  void guard_from_host(HostGuard::Tell tell);
  /// A call begins, or has ended.
  void open_to_host();
  void close_to_host();
  /// The error that lost the device; cudaSuccess before.
  cudaError_t lost() const { return lost_; }
  /// As cudaDeviceReset: the device can be used again, but not after a launch that was cut off. Allocations stay.
  void reset();

  /// Blocks of the kernel that fit on a core, for cudaOccupancyMaxActiveBlocksPerMultiprocessor.
  unsigned resident_blocks(const RegisteredKernel& kernel, unsigned threads, std::uint64_t dynamic_shared_bytes);
  /// The same with the registers that it has usually, and no dynamic shared memory.
  unsigned resident_blocks_as_usual(const RegisteredKernel& kernel, unsigned threads) {
    return sink_->residency(registry_.program(kernel), threads, 0).blocks;
  }

 private:
  /// A kernel as it is for blocks of some size.
  struct Fit {
    const simt::Program& program;
    Residency residency;
  };
  /// As usual, unless its registers keep even one block of so many threads out of a core.
  Fit fit(const RegisteredKernel& kernel, unsigned threads, std::uint32_t dynamic_shared_bytes);
  /// Throws ApiError if it cannot be.
  simt::Launch launch_of(const RegisteredKernel& kernel, const simt::DeviceGrid& grid, bool is_cooperative);
  void require_possible(const simt::Launch& launch) const;
  std::uint64_t grid_workspace();
  bool admits(const simt::DeviceGrid& grid);
  /// Throws ApiError; the device is lost then.
  void run(simt::Launch launch, report::Launcher launcher);
  LaunchOutcome run_and_print(simt::Launch& launch);

  DeviceDescription device_;
  std::unique_ptr<LaunchSink> sink_;
  Printer printer_;
  Recorder recorder_;
  simt::DeviceMemory device_memory_;
  MemorySpace memory_;
  std::optional<HostGuard> guard_;
  MemoryPools pools_;
  CudaArrays arrays_{memory_};
  ImageObjects images_{memory_, device_memory_, arrays_};
  KernelRegistry registry_;
  ImageReferences references_{registry_, device_memory_, arrays_};
  Timeline timeline_;
  Graphs graphs_;
  StreamCaptures captures_{graphs_};
  int least_compute_capability_ = 20;  // that a program without PTX is told: Fermi's, as the machines are
  simt::DeviceRuntime device_runtime_;
  CodeImage* image_ = nullptr;  // of the kernel that runs
  std::vector<std::string> notes_;
  std::uint64_t launch_count_ = 0;
  std::uint64_t grid_workspace_ = 0;  // of cooperative launches, once there is one
  cudaError_t lost_ = cudaSuccess;
  std::array<std::size_t, 7> limits_{1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
};

}  // namespace warpfork::cuda
