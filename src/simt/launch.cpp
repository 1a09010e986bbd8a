#include "simt/launch.h"

#include "base/error.h"
#include "base/text.h"
#include "simt/whole_warp.h"
#include "simt/wide_warps.h"

namespace warpfork::simt {

namespace {

// PTX ISA and CUDA, limits of every device of capability 2.0 and later.
constexpr std::uint64_t kMaxThreads = 1024, kMaxBlockXY = 1024, kMaxBlockZ = 64;
constexpr std::uint64_t kMaxGridX = 0x7fffffff, kMaxGridYZ = 65535;

std::string extent_text(Dim3 extent) { return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z); }

void check_shape(const Launch& launch, const std::string& name) {
  const Dim3 block = launch.block, grid = launch.grid;
  if (block.count() == 0) throw Error("kernel '{}': block of {} threads is empty", name, extent_text(block));
  if (grid.count() == 0) throw Error("kernel '{}': grid of {} blocks is empty", name, extent_text(grid));
  if (block.x > kMaxBlockXY || block.y > kMaxBlockXY || block.z > kMaxBlockZ || block.count() > kMaxThreads)
    throw Error("kernel '{}': block of {} threads; at most {} are allowed, {} in x and y, {} in z", name,
                extent_text(block), kMaxThreads, kMaxBlockXY, kMaxBlockZ);
  if (grid.x > kMaxGridX || grid.y > kMaxGridYZ || grid.z > kMaxGridYZ)
    throw Error("kernel '{}': grid of {} blocks; at most {} are allowed in x, {} in y and z", name, extent_text(grid),
                kMaxGridX, kMaxGridYZ);
}

void check_directives(const Launch& launch, const ptx::Function& function) {
  const Dim3 required = function.required_threads;
  if (required.count() != 0 && !(required == launch.block))
    throw Error("kernel '{}': block of {} threads, but .reqntid asks for {}", function.name, extent_text(launch.block),
                extent_text(required));
  if (function.max_threads != 0 && launch.block.count() > function.max_threads)
    throw Error("kernel '{}': block of {} threads, but .maxntid allows {}", function.name, extent_text(launch.block),
                function.max_threads);
}

}  // namespace

void validate(const Launch& launch) {
  const Program& program = *launch.program;
  check_shape(launch, program.name);
  check_directives(launch, *program.function);
  if (launch.warp_size == 0 || launch.warp_size > kMaxWarpSize)
    throw Error("kernel '{}': warps of {} threads; 1 to {} are supported", program.name, launch.warp_size,
                kMaxWarpSize);
  if (launch.parameters.size() != program.parameter_bytes)
    throw Error("kernel '{}': {} of arguments given, its parameters take {}", program.name,
                counted(launch.parameters.size(), "byte"), program.parameter_bytes);
  if (launch.warp_size > kRowLanes) refuse_lane_words(program, launch.warp_size);
  if (launch.warp_size != kRowLanes)
    refuse_whole_warps(program, fmt::format("warps have {} threads", launch.warp_size),
                       "run it on a machine whose core.warp_size is 32");
  if (launch.lane_permutation != LanePermutation::Identity)
    refuse_whole_warps(program, "threads have other lanes than those of their numbers",
                       "run it with divergence.lane_permutation=identity");
}

}  // namespace warpfork::simt
