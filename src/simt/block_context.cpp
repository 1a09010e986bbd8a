// Registers, shared and local memory of one thread block, laid out for the lane handlers.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "simt/address_map.h"
#include "simt/aligned_bytes.h"
#include "simt/launch.h"

namespace warpfork::simt {

namespace {

template <typename Lane>
void fill_lanes(std::byte* row, Lane value) {
  for (unsigned lane = 0; lane < kRowLanes; ++lane) std::memcpy(row + lane * sizeof value, &value, sizeof value);
}

void fill_row(std::byte* row, bool wide, std::uint64_t value) {
  wide ? fill_lanes(row, value) : fill_lanes(row, static_cast<std::uint32_t>(value));
}

std::uint32_t component(Dim3 value, std::uint8_t which) {
  return which == 0 ? value.x : which == 1 ? value.y : which == 2 ? value.z : 0;
}

/// Whether the register is another in every block; else it belongs to the thread's place in its block.
bool differs_by_block(ptx::SpecialRegister name) {
  using enum ptx::SpecialRegister;
  return name == Ctaid || name == Clusterid || name == Smid;
}

/// What identifies one thread to its program; `lane` is its number in the warp.
struct Identity {
  const Launch& launch;
  Dim3 block_index;
  unsigned core, warp, lane;
};

Dim3 position(const Identity& self) {
  return self.launch.block.position_of(self.warp * self.launch.warp_size + self.lane);
}

std::uint32_t lane_mask_register(ptx::SpecialRegister name, unsigned lane) {
  const std::uint32_t equal = 1u << lane, below = equal - 1;
  switch (name) {
    case ptx::SpecialRegister::LanemaskEq:
      return equal;
    case ptx::SpecialRegister::LanemaskLe:
      return equal | below;
    case ptx::SpecialRegister::LanemaskLt:
      return below;
    case ptx::SpecialRegister::LanemaskGe:
      return ~below;
    default:
      return ~(equal | below);
  }
}

/// Shared memory is given out in pieces of 128 bytes (PTX ISA, "%total_smem_size", sm_20 and sm_80 on).
constexpr std::uint64_t in_allocation_units(std::uint64_t bytes) { return (bytes + 127) / 128 * 128; }

/// PTX ISA, "Special Registers". Clocks are read by their own handlers; counters and driver registers read as zero.
std::uint64_t special_value(const ptx::SpecialRegisterOperand& special, const Identity& self) {
  using enum ptx::SpecialRegister;
  const Launch& launch = self.launch;
  switch (special.name) {
    case Tid:
      return component(position(self), special.component);
    case Ntid:
      return component(launch.block, special.component);
    case Ctaid:
    case Clusterid:
      return component(self.block_index, special.component);
    case Nctaid:
    case Nclusterid:
      return component(launch.grid, special.component);
    case ClusterNctaid:
    case ClusterNctarank:
      return special.component < 3 ? 1 : 0;
    case Laneid:
      return self.lane;
    case Warpid:
      return self.warp;
    case Nwarpid:
      return launch.warps_per_block();
    case Smid:
      return self.core;
    case Nsmid:
      return launch.core_count;
    case Gridid:
      return launch.grid_id;
    case LanemaskEq:
    case LanemaskLe:
    case LanemaskLt:
    case LanemaskGe:
    case LanemaskGt:
      return lane_mask_register(special.name, self.lane);
    case Envreg1:
      return launch.grid_workspace >> 32;
    case Envreg2:
      return launch.grid_workspace & 0xFFFFFFFF;
    case DynamicSmemSize:
      return launch.dynamic_shared_bytes;
    case ReservedSmemOffsetEnd:
      return kReservedSharedInUse;
    case ReservedSmemOffsetCap:
      return kReservedSharedBytes;
    case TotalSmemSize:
      return in_allocation_units(launch.shared_bytes() - launch.program->reserved_shared_bytes);
    case AggrSmemSize:
      return in_allocation_units(launch.shared_bytes());
    default:
      return 0;
  }
}

}  // namespace

struct BlockContext::State {
  State(const Launch& of, BlockContext& self)
      : launch(of),
        rows(rows_of(of.warp_size)),
        warps(std::size_t{of.warps_per_block()} * rows, WarpContext(access, allocations)),
        registers(std::size_t{of.program->register_block_bytes} * warps.size()),
        predicates(std::size_t{of.program->predicate_count} * warps.size()),
        shared(of.shared_room()),
        local(std::size_t{of.program->local_room()} * warps.size() * kRowLanes),
        parameters(of.program->parameter_room()),
        written_shared(of.memory_check ? shared.size() : 0),
        written_local(of.memory_check ? local.size() : 0) {
    const Program& program = *of.program;
    std::ranges::copy(of.parameters, parameters.data());
    for (std::size_t i = 0; i < warps.size(); ++i) {
      WarpContext& warp = warps[i];
      warp.registers = registers.data() + i * program.register_block_bytes;
      warp.predicates = std::span(predicates).subspan(i * program.predicate_count, program.predicate_count);
      warp.block = &self;
      warp.warp = static_cast<WarpId>(i / rows);
      warp.row = static_cast<unsigned>(i % rows);
      warp.lane_key = lane_key(of.lane_permutation, warp.warp, of.warps_per_block(), of.warp_size);
      warp.memory.device = launch.memory;
      warp.memory.device_base = launch.memory ? launch.memory->host_base() : nullptr;
      warp.memory.shared = shared.data();
      warp.memory.local = local.data() + i * kRowLanes * program.local_room();
      warp.memory.parameters = parameters.data();
      warp.memory.shared_bytes = shared.size();
      warp.memory.local_bytes = program.local_room();
      warp.memory.parameter_bytes = parameters.size();
      for (const ConstantRow& row : program.constants) fill_row(warp.registers + row.offset, row.wide, row.bits);
      fill_fixed_specials(warp);
    }
  }

  void fill_fixed_specials(WarpContext& warp) {
    for (const SpecialRow& row : launch.program->specials) {
      if (differs_by_block(row.name.name)) continue;
      for (unsigned lane = 0; lane < kRowLanes; ++lane) {
        const Identity self{launch, index, 0, warp.warp, warp.number_in_warp(lane)};
        const std::uint64_t value = special_value(row.name, self);
        std::memcpy(warp.registers + row.offset + lane * (row.wide ? 8 : 4), &value, row.wide ? 8 : 4);
      }
    }
  }
  void fill_block_specials(WarpContext& warp, unsigned core) {
    for (const SpecialRow& row : launch.program->specials)
      if (differs_by_block(row.name.name))
        fill_row(warp.registers + row.offset, row.wide, special_value(row.name, {launch, index, core, warp.warp, 0}));
  }

  /// Padding reads as zero, and nobody has to write it.
  void clear_written() {
    std::ranges::fill(written_shared, std::byte{0});
    std::ranges::fill(written_local, std::byte{0});
    for (const Padding& padding : launch.program->padding) {
      const bool is_shared = padding.space == MemorySpace::Shared;
      std::vector<std::byte>& written = is_shared ? written_shared : written_local;
      const std::size_t step = is_shared ? written.size() : launch.program->local_room();
      for (std::size_t thread = 0; thread < written.size(); thread += step)
        std::fill(written.begin() + static_cast<std::ptrdiff_t>(thread + padding.begin),
                  written.begin() + static_cast<std::ptrdiff_t>(thread + padding.end), std::byte{1});
    }
  }

  const Launch& launch;
  Dim3 index{0, 0, 0};
  unsigned rows;  // of each warp
  MemoryAccess access;
  KnownAllocations allocations;
  std::vector<WarpContext> warps;  // row by row
  AlignedBytes registers;
  std::vector<std::uint32_t> predicates;
  AlignedBytes shared, local, parameters;
  std::vector<std::byte> written_shared, written_local;  // empty unless somebody looks
};

BlockContext::BlockContext(const Launch& launch) : state_(std::make_unique<State>(launch, *this)) {}
BlockContext::~BlockContext() = default;

void BlockContext::start(Dim3 index, unsigned core) {
  state_->index = index;
  state_->shared.clear();
  state_->local.clear();
  if (state_->launch.memory_check) state_->clear_written();
  const Program& program = *state_->launch.program;
  for (WarpContext& warp : state_->warps) {
    if (program.reads_unwritten) std::memset(warp.registers, 0, program.register_bytes);
    std::fill(warp.predicates.begin(), warp.predicates.end(), 0);
    warp.predicates[program.true_predicate] = ~0u;
    warp.clock = 0;
    warp.live = in_row(lanes(warp.warp), warp.row);
    state_->fill_block_specials(warp, core);
  }
}

unsigned BlockContext::rows() const { return state_->rows; }
std::span<WarpContext> BlockContext::warps() { return state_->warps; }
WarpContext& BlockContext::warp(WarpId id, unsigned row) { return state_->warps[id * state_->rows + row]; }
const WarpContext& BlockContext::warp(WarpId id, unsigned row) const { return state_->warps[id * state_->rows + row]; }

ActiveMask BlockContext::lanes(WarpId id) const {
  const unsigned warp_size = state_->launch.warp_size;
  const ActiveMask threads =
      ActiveMask::first(std::min(warp_size, state_->launch.threads_per_block() - id * warp_size));
  return permuted(threads, warp(id).lane_key);
}

const Launch& BlockContext::launch() const { return state_->launch; }
Dim3 BlockContext::index() const { return state_->index; }

std::byte* BlockContext::written_shared() { return state_->written_shared.data(); }
std::byte* BlockContext::written_local(const WarpContext& warp, unsigned lane) {
  const auto row = static_cast<std::size_t>(&warp - state_->warps.data());
  return state_->written_local.data() + (row * kRowLanes + lane) * state_->launch.program->local_room();
}

}  // namespace warpfork::simt
