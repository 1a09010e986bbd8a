// Device memory and page-locked host memory as a CUDA program sees them (CUDA Runtime API, "Memory Management").
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "cuda/runtime/host_mirrors.h"
#include "cuda/runtime/memory_advice.h"
#include "simt/device_memory.h"

namespace warpfork::cuda {

/// Allocations and copies. Where the operating system left the device's address range free, device memory lies at its
/// own addresses in the process too (`is_shared`): then page-locked and managed memory are device memory, and kernels
/// and host code read them alike. Otherwise managed memory is refused, and page-locked memory is the host's, as what
/// the program registers is: kernels reach it by mirrors in device memory. Every function throws ApiError with the code
/// that CUDA documents.
class MemorySpace {
 public:
  /// Told of every range that a copy from the host wrote.
  using HostCopyListener = std::function<void(std::uint64_t address, std::uint64_t bytes)>;

  MemorySpace(simt::DeviceMemory& memory, std::uint64_t capacity_bytes, HostCopyListener listener);
  ~MemorySpace();
  MemorySpace(const MemorySpace&) = delete;
  MemorySpace& operator=(const MemorySpace&) = delete;

  bool is_shared() const { return is_shared_; }
  /// Allocations in device memory that are the host's as well.
  std::vector<simt::DeviceMemory::Range> of_host() const;
  std::uint64_t capacity_bytes() const { return capacity_; }
  std::uint64_t free_bytes() const { return capacity_ - used_; }
  /// Why a kernel may fault later: the last allocation for which there was no room, or registered memory that is gone,
  /// and the remedy; empty: there was none.
  const std::string& missing_memory() const { return missing_; }

  /// Null for 0 bytes. Messages about the memory name the call; none: the one that gives memory of this type.
  void* allocate(std::uint64_t bytes, cudaMemoryType type = cudaMemoryTypeDevice, std::string_view call = {});
  void free(void* pointer);
  /// Page-locked: see above.
  void* allocate_host(std::uint64_t bytes, unsigned flags);
  void free_host(void* pointer);
  unsigned host_flags(const void* pointer) const;
  /// Where kernels find the page-locked memory at `pointer`.
  void* device_pointer(void* pointer);
  /// The same for who only asks: null where there is no room for a mirror.
  void* known_device_pointer(void* pointer);
  void register_host(void* pointer, std::uint64_t bytes, unsigned flags);
  void unregister_host(void* pointer);

  /// About managed memory.
  MemoryAdvice& advice() { return advice_; }

  /// What `pointer` points into.
  cudaMemoryType type_of(const void* pointer) const;
  /// Of page-locked memory, from either side's address.
  void* host_pointer(void* pointer) const;
  /// The allocation or variable in device memory that holds `pointer`; of 0 bytes if none does.
  simt::DeviceMemory::Range range_of(const void* pointer) const;

  void copy(void* to, const void* from, std::uint64_t bytes, cudaMemcpyKind kind);
  void fill(void* pointer, int value, std::uint64_t bytes);
  /// A row of `width` bytes every `pitch` bytes.
  void copy_rows(void* to, std::uint64_t to_pitch, const void* from, std::uint64_t from_pitch, std::uint64_t width,
                 std::uint64_t height, cudaMemcpyKind kind);
  void fill_rows(void* pointer, std::uint64_t pitch, int value, std::uint64_t width, std::uint64_t height);

  /// Lets the kernel see what the host has written, and the host what the kernel has. Registered memory that the
  /// program has freed is no kernel's any more.
  void begin_launch();
  void end_launch() { mirrors_.after_launch(); }

 private:
  struct Allocation {
    std::uint64_t bytes;
    cudaMemoryType type;
    unsigned flags;
  };
  struct HostAllocation {
    std::uint64_t bytes;
    unsigned flags;
    bool registered;             // the program's own memory
    std::uint64_t mirror = 0;    // device address of its mirror's allocation; 0: there is none yet
    std::uint64_t in_front = 0;  // bytes of that in front of the mirror, which is aligned as the host's memory is
  };
  /// What a copy's kind says about one of its ends; Unknown = the address decides.
  enum class Side : std::uint8_t { Host, Device, Unknown };
  bool is_device_address(const void* pointer) const;
  std::byte* place(Side side, const void* pointer, std::uint64_t bytes) const;
  void note_write(std::uint64_t address, std::uint64_t bytes);
  void release(std::map<std::uint64_t, Allocation>::iterator allocation);
  [[noreturn]] void refuse(std::uint64_t bytes, std::string_view call);
  std::uint64_t take(std::uint64_t bytes, std::string_view call);
  void mirror(std::uint64_t host, HostAllocation& allocation);
  void remove_mirror(HostAllocation& allocation);
  void forget(std::map<std::uint64_t, HostAllocation>::iterator allocation);

  simt::DeviceMemory& memory_;
  std::uint64_t capacity_, used_ = 0;
  unsigned count_ = 0;  // of allocations, for their names
  bool is_shared_;
  std::string missing_;
  HostCopyListener listener_;
  HostMirrors mirrors_;
  MemoryAdvice advice_;
  std::map<std::uint64_t, Allocation> allocations_;           // by device address
  std::map<std::uint64_t, HostAllocation> host_allocations_;  // by host address
};

}  // namespace warpfork::cuda
