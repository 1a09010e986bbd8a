// Where --memcheck looks: host code that touches device memory, which works here, ends as on a machine with a GPU.
#pragma once

#include <signal.h>

#include <functional>
#include <span>
#include <string>

#include "simt/device_memory.h"

namespace warpfork::cuda {

/// Of the process, one at a time. The memory is closed to everybody between the calls of the runtime.
class HostGuard {
 public:
  /// Is told of the access before the process gets its signal for it.
  using Tell = std::function<void(const std::string& text)>;

  /// Of memory that lies at its own addresses in the process too.
  HostGuard(simt::DeviceMemory& memory, Tell tell);
  ~HostGuard();
  HostGuard(const HostGuard&) = delete;
  HostGuard& operator=(const HostGuard&) = delete;

  void open();
  /// But for the pages of what the host may use.
  void close(std::span<const simt::DeviceMemory::Range> of_host);

 private:
  static void take(int signal, siginfo_t* what, void* context);
  void tell_of(std::uint64_t address) const;

  simt::DeviceMemory& memory_;
  Tell tell_;
  struct sigaction before_ = {};
};

}  // namespace warpfork::cuda
