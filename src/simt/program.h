// A kernel ready to run: PTX instructions decoded once into flat records with resolved operand offsets.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/register_set.h"
#include "analysis/scalar_rule.h"
#include "base/frontier_place.h"
#include "base/types.h"
#include "lower/register_allocation.h"
#include "ptx/module.h"
#include "simt/row_lanes.h"
#include "simt/timing_class.h"

namespace warpfork::simt {

struct Instruction;
class WarpContext;

/// Applies an instruction to the given lanes (active and guard true) of one row of a warp.
using Handler = void (*)(const Instruction&, WarpContext&, RowLanes lanes);

/// What the core must do with an instruction besides calling its handler.
enum class InstructionKind : std::uint8_t {
  Arithmetic,     // handler only
  Load,           // handler fills WarpContext::access
  Store,          // likewise
  Atomic,         // likewise; also red
  Branch,         // lanes whose guard is true go to `target`; no handler
  Exit,           // lanes whose guard is true exit; no handler (also `ret` of an entry)
  Barrier,        // bar, barrier; see simt/barrier.h; no handler
  MemoryBarrier,  // membar, fence; no handler
};

/// What a Barrier instruction does besides arriving. The reductions of bar.red wait, too.
enum class BarrierForm : std::uint8_t { Sync, Arrive, CountTrue, AllTrue, AnyTrue };

enum class MemorySpace : std::uint8_t { None, Global, Shared, Local, Const, Param, Generic };

/// A decoded instruction. Indexed by Pc in Program::code. What its execution looks at lies in the first of two lines of
/// the host's cache, its register lists in the second.
struct alignas(64) Instruction {
  static constexpr std::uint16_t kNoPredicate = 0xffff;
  static constexpr std::uint8_t kMaxSources = 14, kMaxDestinations = 8;  // tex.grad.3d reads the most
  static constexpr std::uint8_t kBarrierInRegister = 0xff;
  static constexpr std::uint32_t kThreadsInRegister = 0xffffffff, kNoMembers = 0xffffffff;

  Handler handler = nullptr;

  // Byte offsets of operand rows in the warp's register block (a row is kRowLanes lanes side by side);
  // their meaning is the handler's own.
  std::array<std::uint32_t, 5> operand{};
  std::uint32_t members = kNoMembers;  // of a .sync instruction: row of the member mask
  std::uint64_t immediate = 0;         // the handler's own: literal, address offset, mode bits

  InstructionKind kind = InstructionKind::Arithmetic;
  TimingClass timing = TimingClass::Simple;
  MemorySpace space = MemorySpace::None;
  std::uint8_t access_bytes = 0;  // per lane, all elements of a vector access
  bool read_only = false;         // ld.global.nc: nobody writes there during the launch
  bool guard_negated = false;
  bool scalar = false;      // sees the same operands in all lanes that execute it, and writes scalar registers alone
  bool comes_back = false;  // a branch behind a call of a body that others share: who parts called from several places
  bool ends_block = false;  // the next instruction (if any) is a block leader, or this one is a branch or an exit
  std::uint16_t straight = 0;  // instructions from here on that need their handlers only and do not end the block
  std::uint8_t barrier = 0;    // number of the barrier, or kBarrierInRegister
  std::uint8_t steps = 1;      // of a product of matrices: how many times its timing class's smallest one it is
  std::uint16_t guard = kNoPredicate;  // index into WarpContext::predicates
  BarrierForm barrier_form = BarrierForm::Sync;
  std::uint8_t addressing_lanes = kRowLanes;  // of a row, the lowest: those whose addresses are accessed
  std::uint32_t barrier_threads = 0;          // that take part, or kThreadsInRegister; 0 = all of the block

  Pc target = kNoPc;         // of a branch
  Pc reconvergence = kNoPc;  // first instruction of the immediate postdominator of this instruction's block

  // For scoreboard and operand collector: registers by ptx::RegisterId or, where they are allocated, by place:
  // vector registers, behind them scalar ones, then predicates; of a 64-bit register its first. The guard is in
  // `guard_register` only.
  std::uint8_t source_count = 0, destination_count = 0;
  std::array<std::uint16_t, kMaxSources> sources{};
  std::array<std::uint16_t, kMaxDestinations> destinations{};
  std::uint16_t guard_register = kNoPredicate;

  /// Whether threads may exit here or go different ways; if they all go one way they do as at a jump where
  /// `comes_back`.
  bool may_part() const {
    return kind == InstructionKind::Exit || (kind == InstructionKind::Branch && guard != kNoPredicate);
  }
  bool names_members() const { return members != kNoMembers; }
  bool operator==(const Instruction&) const = default;
};
static_assert(sizeof(Instruction) == 128);

/// A row of the register block that every lane reads as the same literal or address.
struct ConstantRow {
  std::uint32_t offset = 0;
  bool wide = false;  // 64-bit lanes
  std::uint64_t bits = 0;
};

/// A row of the register block that holds a special register for the whole life of a thread block.
struct SpecialRow {
  std::uint32_t offset = 0;
  bool wide = false;
  ptx::SpecialRegisterOperand name;
};

/// What the machine keeps once for a warp.
struct Scalars {
  std::optional<analysis::ScalarRule> rule;  // nothing: it keeps all once for each thread
  analysis::RegisterSet registers{0};        // scalar ones, by ptx::RegisterId; if there is a rule
  analysis::RegisterSet listed{0};           // likewise, by what the instructions' register lists hold
  /// Of either file, the largest number of 32-bit registers alive at once.
  std::uint32_t live_vectors = 0, live_scalars = 0;
};

/// Bytes [begin, end) behind a variable of shared or local memory, up to its alignment. They are no part of it, yet
/// compilers load that far, as a load that is aligned cannot leave them.
struct Padding {
  MemorySpace space = MemorySpace::None;
  std::uint32_t begin = 0, end = 0;
};

struct PlacedVariable {
  std::uint64_t address = 0, bytes = 0;
};

/// Where a module lies in the device's memory.
struct ModulePlaces {
  std::uint64_t code = 0;  // of its code: DeviceMemory::place_code()
  std::map<std::string, PlacedVariable, std::less<>> variables;
};

/// One kernel of a loaded module. Never changes after it was built.
struct Program {
  std::string name;
  const ptx::Function* function = nullptr;  // its body[pc] is the source of code[pc]
  const ptx::Module* module = nullptr;
  const ModulePlaces* places = nullptr;  // of the module
  std::vector<Instruction> code;
  std::uint64_t code_place = 0;  // instructions of all kernels that were loaded before it (DeviceMemory::place_code)
  /// By what the instructions' register lists hold, the number that chooses the bank: where it is a ptx::RegisterId the
  /// digits of the register's name (%rd12 -> 12), by which GPGPU-Sim chooses it; where it is a place its number.
  std::vector<std::uint16_t> register_numbers;
  Scalars scalars;
  std::optional<lower::RegisterAllocation> allocation;  // nothing: every PTX register has a place of its own
  bool is_fitted = false;                               // allocated so that a block fits which would not otherwise
  std::uint32_t live_registers = 0;                     // largest number of 32-bit registers alive at once, per thread
  bool reads_unwritten = true;                          // a register may be read before it was written: it is zero then
  std::uint32_t register_block_bytes = 0;               // per warp: registers, then constant and special rows
  std::uint32_t register_bytes = 0;                     // of these, the registers
  std::vector<ConstantRow> constants;
  std::vector<SpecialRow> specials;
  std::vector<Pc> later_meetings;             // Postdominators::later_meetings()
  std::vector<FrontierPlace> frontier_order;  // by instruction: its block's place (analysis/frontier_order.h)
  std::uint32_t predicate_count = 0;          // the predicate registers, then the decoder's own (carry flag, sink …)
  std::uint16_t true_predicate = 0;           // set for every lane, in every block
  std::uint32_t reserved_shared_bytes = 0, static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;  // per thread
  std::uint32_t parameter_bytes = 0;
  std::vector<Padding> padding;

  /// Where threads of a split meet again that part at the branch; the split has `before_that` as its own reconvergence
  /// point. Of those that called a shared body from several places nobody must go past that.
  Pc meeting_of(const Instruction& branch, Pc before_that) const {
    return branch.comes_back && before_that != kNoPc ? meeting_of_callers(branch.reconvergence, before_that)
                                                     : branch.reconvergence;
  }
  Pc meeting_of_callers(Pc of_all, Pc of_split) const;

  /// Of a block.
  std::uint32_t shared_bytes(std::uint32_t dynamic_bytes) const {
    return reserved_shared_bytes + static_shared_bytes + dynamic_bytes;
  }
  /// What its threads may touch of these: with the padding behind the last variable. Nothing else counts it.
  std::uint32_t shared_room(std::uint32_t dynamic_bytes) const {
    return with_padding(MemorySpace::Shared, shared_bytes(dynamic_bytes));
  }
  std::uint32_t local_room() const { return with_padding(MemorySpace::Local, local_bytes); }
  std::uint32_t with_padding(MemorySpace space, std::uint32_t bytes) const;
  /// Likewise.
  std::uint32_t parameter_room() const;
  /// 32-bit registers of a thread, as the program says them of itself (cudaFuncAttributes.numRegs).
  unsigned registers_of_thread() const { return allocation ? allocation->vector_registers : live_registers; }
};

}  // namespace warpfork::simt
