// Register allocation by graph colouring (STSIMT section 4.3): PTX's unlimited registers get places in a file.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "analysis/ways.h"
#include "ptx/module.h"

namespace warpfork::lower {

/// Which of a warp's files a register lies in: a value for each thread, one for the warp, a bit for each thread.
enum class RegisterFile : std::uint8_t { Vector, Scalar, Predicate };

/// Where one PTX register lies.
struct RegisterPlace {
  static constexpr std::uint16_t kNowhere = 0xffff;  // neither read nor written

  RegisterFile file = RegisterFile::Vector;
  std::uint16_t number = kNowhere;  // first of its 32-bit units, aligned to their count; a predicate's own number
  bool operator==(const RegisterPlace&) const = default;
};

/// A register that lives in local memory.
struct SpilledRegister {
  std::string name;
  std::uint32_t offset = 0, bytes = 0;  // in the thread's spill area
};

struct RegisterAllocation {
  std::vector<RegisterPlace> places;  // by ptx::RegisterId
  unsigned vector_registers = 0;      // 32-bit registers of a thread
  unsigned scalar_registers = 0;      // 32-bit registers of a warp
  unsigned predicates = 0;
  std::vector<SpilledRegister> spilled;
  std::uint32_t spill_bytes = 0;  // of a thread

  /// One number for each place of all files: vector registers first, then scalar ones, then predicates.
  unsigned index_of(const RegisterPlace& place) const {
    const unsigned before[] = {0, vector_registers, vector_registers + scalar_registers};
    return before[static_cast<unsigned>(place.file)] + place.number;
  }
};

/// In which order registers are coloured; each takes the lowest place that its neighbours leave.
enum class ColouringOrder : std::uint8_t {
  LiveRange,     // as they come to life in the text, as a linear scan does
  SmallestLast,  // what has the fewest neighbours among the rest comes last (Matula and Beck 1983)
};

/// How a machine runs the sides of a branch at which threads part; scalar registers are shared by all of them.
struct SideOrder {
  bool at_once = false;                                       // else one after the other
  analysis::Leavers leavers = analysis::Leavers::DoNotCount;  // as in Postdominators: where the sides end
};

struct AllocationOptions {
  unsigned limit = std::numeric_limits<unsigned>::max();  // vector registers of a thread
  ColouringOrder order = ColouringOrder::LiveRange;
  bool coalesce = true;  // the sides of a move get one place where they can
  SideOrder sides{};
};

/// Gives every register that is used a place: registers that are alive at the same time share none. What does not fit
/// into the limit is spilled: the function gets loads, stores and a .local variable. `files` by ptx::RegisterId, empty
/// where nothing is scalar; predicates have their own file whatever it says. Throws Error if one instruction alone
/// needs more than the limit.
RegisterAllocation allocate_registers(ptx::Function& function, std::span<const RegisterFile> files,
                                      const AllocationOptions& options);

}  // namespace warpfork::lower
