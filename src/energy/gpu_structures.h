// What a GPU is made of: its arrays, crossbars and units, from its machine description (docs/energy.md).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "energy/array.h"
#include "energy/part_names.h"
#include "gpu/machine_spec.h"

namespace warpfork::energy {

inline constexpr double kWordBits = 32, kByteBits = 8;

/// Rows of the reports of a GPU.
enum class GpuPart : std::uint8_t {
  Fetch,
  Decode,
  Scheduler,
  Scoreboard,
  DivergenceTables,
  RegisterFile,
  Alu,
  Fpu,
  Sfu,
  SharedMemory,
  Caches,
  Interconnect,
  Dram,
  Clock,
  Static,
};
PartNames gpu_parts();

enum class GpuArray : std::uint8_t {
  InstructionCache,
  InstructionBuffers,
  Scheduler,
  Scoreboard,
  SplitTable,  ///< or the reconvergence stack
  ReconvergenceTable,
  Predictor,
  RegisterBanks,
  Collectors,
  SharedBanks,
  L1Data,
  ConstantCache,
  TextureCache,
  L2,
};
inline constexpr unsigned kGpuArrays = 14;
std::string_view name_of(GpuArray array);
GpuPart part_of(GpuArray array);

enum class GpuCrossbar : std::uint8_t { Registers, Shared, Interconnect };
inline constexpr unsigned kGpuCrossbars = 3;
std::string_view name_of(GpuCrossbar crossbar);
GpuPart part_of(GpuCrossbar crossbar);

/// `copies` equal crossbars.
struct Crossbar {
  unsigned ports = 0;
  double bits = 0, copies = 1;
};

/// Of the whole chip: what every core has counts once for each.
struct GpuStructures {
  std::array<Array, kGpuArrays> arrays;  ///< by GpuArray; those that the machine has not are without entries
  std::array<Crossbar, kGpuCrossbars> crossbars;
  double alus = 0, special_units = 0;
  unsigned scoreboard_entries = 0;  ///< of a warp

  const Array& operator[](GpuArray array) const { return arrays[static_cast<unsigned>(array)]; }
  const Crossbar& operator[](GpuCrossbar crossbar) const { return crossbars[static_cast<unsigned>(crossbar)]; }
};

/// Throws Error for a machine whose mechanism or lanes are unknown, or whose registers cannot be dealt out to its
/// units.
GpuStructures structures_of(const gpu::MachineSpec& machine);

}  // namespace warpfork::energy
