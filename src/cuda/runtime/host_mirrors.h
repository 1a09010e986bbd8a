// Host memory that a program has registered, as kernels see it (CUDA Runtime API, "Memory Management",
// cudaHostRegister).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace warpfork::cuda {

/// A kernel reaches device memory only, and ends before its launch returns. So each range of the host's memory that
/// kernels may use has a mirror in device memory: the host's bytes are copied there before a launch, and what the
/// kernel has changed is copied back behind it. Between launches the host's memory alone is right.
class HostMirrors {
 public:
  /// Device memory [device, device + bytes), which lies at `contents`, mirrors the host's from `host` on.
  void add(std::uint64_t device, std::byte* contents, std::byte* host, std::uint64_t bytes);
  void remove(std::uint64_t device) { mirrors_.erase(device); }
  /// The host's memory behind [device, device + bytes); null if no mirror holds that.
  std::byte* host_of(std::uint64_t device, std::uint64_t bytes) const;

  void before_launch();
  /// What other threads of the host wrote in the meantime, and the kernel did not, stays.
  void after_launch();

 private:
  struct Mirror {
    std::byte *contents, *host;
    std::vector<std::byte> at_launch;  // what it held when the kernel began
  };

  std::map<std::uint64_t, Mirror> mirrors_;  // by device address
};

}  // namespace warpfork::cuda
