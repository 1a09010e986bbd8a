// What a CPU core is made of: its arrays and units, from its machine description (SIMT-X Table I and section 4.5).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "energy/array.h"
#include "energy/part_names.h"
#include "ooo/machine_spec.h"

namespace warpfork::energy {

/// Rows of the reports of a CPU core.
enum class Part : std::uint8_t {
  FrontEnd,
  Rename,
  Window,
  RegisterFiles,
  Execution,
  L1AndTlb,
  L2,
  Memory,
  Leakage,
};
inline constexpr unsigned kParts = 9;
inline constexpr double kLaneBits = 64;  ///< of a lane: what its scalar registers, units and L1 port are wide
std::string_view name_of(Part part);
PartNames core_parts();

enum class Structure : std::uint8_t {
  InstructionCache,
  BranchPredictor,
  TargetBuffer,
  FetchBuffer,
  PathSchedulingTable,
  PathTable,
  DivergencePredictor,
  RenameTable,
  CommitTable,
  ReorderBuffer,
  IssueQueueTags,
  IssueQueuePayload,
  LoadStoreAddresses,
  LoadStoreData,
  IntegerRegisters,
  VectorRegisters,
  L1Data,
  Tlb,
  L2,
};
inline constexpr unsigned kStructures = 19;
std::string_view name_of(Structure structure);
Part part_of(Structure structure);

/// The execution units, each 64 bits wide and counted once for each lane that has one, and what is left of the core.
struct CoreStructures {
  std::array<Array, kStructures> arrays;  ///< by Structure; those that the core has not are without entries
  unsigned integer_units = 0;             ///< branch and address units among them
  unsigned multiply_units = 0, float_units = 0;
  unsigned lanes = 1;  ///< of the crossbar between lanes and L1 banks, if more than one
  double control_mm2 = 0;
  double idle_mw = 0;  ///< of the units, whatever they do

  const Array& operator[](Structure structure) const { return arrays[static_cast<unsigned>(structure)]; }
};

/// `machine` as the recipe of `core` has adapted it. Throws Error if there is no such core, or a price is missing.
CoreStructures structures_of(const ooo::MachineSpec& machine, std::string_view core, const PriceList& prices);

}  // namespace warpfork::energy
