// What the CUDA runtime tells a program about the simulated GPU (CUDA Runtime API, "Device Management").
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace warpfork::cuda {

/// Defaults: the NVIDIA GeForce GTX 480 (Fermi, compute capability 2.0).
struct DeviceDescription {
  std::string name = "GeForce GTX 480 (simulated)";
  int compute_major = 2, compute_minor = 0;
  int core_count = 15;           // streaming multiprocessors
  int core_clock_khz = 1400000;  // the clock that launches are counted in
  int memory_clock_khz = 1848000;
  int memory_bus_bits = 384;
  std::uint64_t global_memory_bytes = 1536ull << 20;
  std::uint64_t constant_memory_bytes = 64 << 10;
  std::uint32_t l2_bytes = 768 << 10;
  std::uint32_t shared_bytes_per_block = 48 << 10;
  std::uint32_t shared_bytes_per_core = 48 << 10;
  std::uint32_t registers_per_block = 32768;
  std::uint32_t registers_per_core = 32768;
  int warp_size = 32;
  int max_threads_per_block = 1024;
  int max_threads_per_core = 1536;
  int max_blocks_per_core = 8;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceDescription, name, compute_major, compute_minor, core_count, core_clock_khz,
                                   memory_clock_khz, memory_bus_bits, global_memory_bytes, constant_memory_bytes,
                                   l2_bytes, shared_bytes_per_block, shared_bytes_per_core, registers_per_block,
                                   registers_per_core, warp_size, max_threads_per_block, max_threads_per_core,
                                   max_blocks_per_core)

}  // namespace warpfork::cuda
