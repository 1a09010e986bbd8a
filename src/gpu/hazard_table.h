// What the instructions of a kernel do with registers, for those who look for hazards.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bit_set.h"
#include "gpu/core_spec.h"
#include "simt/program.h"

namespace warpfork::gpu {

class HazardTable {
 public:
  /// Places of registers are watched where they are allocated, unless the lanes read in the order of issue: then
  /// nothing is written before an earlier instruction has read it.
  HazardTable(const CoreSpec& spec, const simt::Program& program);

  /// By register numbers mod 64.
  struct alignas(32) Use {
    std::uint64_t touched = 0, written = 0;  // Scoreboard::touched(), Scoreboard::written()
    std::uint64_t overwritten = 0;           // places that are written, if they are watched
    unsigned room = 0;                       // Scoreboard::room_beside()
  };
  const Use& use(Pc pc) const { return uses_[pc]; }
  const simt::Instruction& instruction(Pc pc) const { return code_[pc]; }
  /// The largest number of an instruction's destinations.
  unsigned most_destinations() const { return most_destinations_; }

  /// Whether no two registers share a bit.
  bool has_few_registers() const { return has_few_registers_; }

  bool watches_reads() const { return watches_reads_; }
  /// Whether no two watched places share a bit.
  bool has_few_places() const { return has_few_places_; }
  /// Watched places that the instruction at `pc` reads, by their numbers mod 64.
  std::uint64_t read(Pc pc) const { return reads_[pc]; }
  /// Whether one instruction reads what another one writes.
  bool reads_what(Pc reader, Pc writer) const { return places_[reader].reads.intersects(places_[writer].writes); }

 private:
  using Places = BitSet<struct PlaceTag, 256>;  // numbers modulo 256
  struct OfInstruction {
    Places reads, writes;
  };
  void add_places(const simt::Program& program);

  const simt::Instruction* code_;
  unsigned most_destinations_ = 0;
  bool has_few_registers_ = true;
  bool watches_reads_, has_few_places_ = true;
  std::vector<Use> uses_;             // by pc
  std::vector<std::uint64_t> reads_;  // likewise; empty if nothing is watched, as the next one
  std::vector<OfInstruction> places_;
};

}  // namespace warpfork::gpu
