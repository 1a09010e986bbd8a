// A whole simulated GPU: what a machine file describes.
#pragma once

#include <string>

#include "divergence/divergence_spec.h"
#include "gpu/core_spec.h"
#include "gpu/energy_spec.h"
#include "memory/memory_spec.h"

namespace warpfork::gpu {

/// [divergence] of a machine file.
struct MachineDivergenceSpec : DivergenceSpec {
  std::string mechanism = "pdom";
  unsigned compaction_cycles = 1;

  const DivergenceSpec& options() const { return *this; }

  template <class Visit>
  void visit(Visit&& v) {
    v("mechanism", mechanism, "divergence mechanism, see `warpfork mechanisms`");
    v("max_splits", max_splits,
      "splits of one warp that may issue at a time (multi-path family, dual-path, warp-subdivision); 0 = no limit",
      {0, kMaxWarpSize});
    v("reconvergence_entries", reconvergence_entries,
      "entries of a warp's reconvergence table, others are spilled to memory (multi-path family); 0 = no limit",
      {0, 1 << 16});
    v("subdivide_limit", subdivide_limit,
      "instructions of the block at a branch's reconvergence point up to which the branch subdivides a warp "
      "(warp-subdivision); 0 = every branch does",
      {0, 1 << 16});
    v("compaction_cycles", compaction_cycles,
      "core cycles that the core's warp compaction unit takes for each warp it forms (tbc, capri)", {0, 1024});
    v("lane_permutation", lane_permutation,
      "lanes of a warp's threads (tbc, capri): identity, mirror-odd, mirror-half, xor, xor-reversed or balanced");
    v("predictor", predictor,
      "whether a compaction will pay, for capri: latest, or its bounds always, never and oracle");
    v("predictor_entries", predictor_entries, "branches that the predictor's table holds, one for a core; 0 = all",
      {0, 1 << 20});
    v("predictor_index_shift", predictor_index_shift,
      "low bits of a branch's PC that do not choose its entry of the table", {0, 31});
  }
};

struct MachineSpec {
  std::string name = "unnamed";
  std::string summary;
  unsigned cores = 1;
  std::uint64_t memory_bytes = 1536ull << 20;
  unsigned compute_capability = 0;
  CoreSpec core;
  memory::MemorySpec memory;
  MachineDivergenceSpec divergence;
  EnergySpec energy;

  template <class Visit>
  void visit(Visit&& v) {
    v("name", name, "name of the machine");
    v("summary", summary, "one line about it");
    // MemorySystem::cores_with_responses() has a bit for each.
    v("cores", cores, "cores (streaming multiprocessors)", {1, 64});
    v("memory_bytes", memory_bytes, "bytes of device memory");
    v("compute_capability", compute_capability,
      "what a CUDA program is told, 75 for 7.5; 0 = the highest that its PTX is for", {0, 999});
    v("core", core, "each core");
    v("memory", memory, "everything below the cores' caches");
    v("divergence", divergence, "how divergent threads are handled");
    v("energy", energy, "what the energy of a run is reckoned with (`--energy`)");
  }
};

}  // namespace warpfork::gpu
