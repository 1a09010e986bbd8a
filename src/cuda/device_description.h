// What the CUDA runtime tells a program about the simulated GPU (CUDA Runtime API, "Device Management").
#pragma once

#include <cstdint>
#include <string>

#include "cuda/json.h"

namespace warpfork::cuda {

/// Defaults: the NVIDIA GeForce GTX 480 (Fermi).
struct DeviceDescription {
  std::string name = "GeForce GTX 480 (simulated)";
  int compute_capability = 0;    // 75 for 7.5; 0 = the highest architecture that the program's PTX is for
  int core_count = 15;           // streaming multiprocessors
  int core_clock_khz = 1400000;  // the clock that launches are counted in
  int memory_clock_khz = 1848000;
  int memory_bus_bits = 384;
  std::uint64_t global_memory_bytes = 1536ull << 20;
  std::uint64_t constant_memory_bytes = 64 << 10;
  std::uint64_t l2_bytes = 768 << 10;
  std::uint32_t shared_bytes_per_block = 48 << 10;
  std::uint32_t shared_bytes_per_core = 48 << 10;
  std::uint32_t registers_per_block = 32768;
  std::uint32_t registers_per_core = 32768;
  int warp_size = 32;
  int max_threads_per_block = 1024;
  int max_threads_per_core = 1536;
  int max_blocks_per_core = 8;
};

/// Calls visit(name, member) for every member; `Description` is const or not.
template <typename Description, typename Visit>
void for_each_member(Description& d, Visit&& visit) {
  visit("name", d.name);
  visit("compute_capability", d.compute_capability);
  visit("core_count", d.core_count);
  visit("core_clock_khz", d.core_clock_khz);
  visit("memory_clock_khz", d.memory_clock_khz);
  visit("memory_bus_bits", d.memory_bus_bits);
  visit("global_memory_bytes", d.global_memory_bytes);
  visit("constant_memory_bytes", d.constant_memory_bytes);
  visit("l2_bytes", d.l2_bytes);
  visit("shared_bytes_per_block", d.shared_bytes_per_block);
  visit("shared_bytes_per_core", d.shared_bytes_per_core);
  visit("registers_per_block", d.registers_per_block);
  visit("registers_per_core", d.registers_per_core);
  visit("warp_size", d.warp_size);
  visit("max_threads_per_block", d.max_threads_per_block);
  visit("max_threads_per_core", d.max_threads_per_core);
  visit("max_blocks_per_core", d.max_blocks_per_core);
}

inline void to_json(Json& json, const DeviceDescription& description) {
  for_each_member(description, [&](const char* name, const auto& value) { json[name] = value; });
}

/// Throws Json::exception if a member is missing or of another type.
inline void from_json(const Json& json, DeviceDescription& description) {
  for_each_member(description, [&](const char* name, auto& value) { json.at(name).get_to(value); });
}

}  // namespace warpfork::cuda
