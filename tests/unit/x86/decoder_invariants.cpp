#include "unit/x86/decoder_invariants.h"

#include <algorithm>

namespace warpfork::x86 {

namespace {

bool is_access(const Uop& uop) { return uop.kind == UopKind::Load || uop.kind == UopKind::Store; }

std::string broken_by_accesses(const StaticInstruction& instruction) {
  std::size_t next = 0;
  for (const Uop& uop : instruction.uops) {
    if (!is_access(uop)) continue;
    if (uop.access != next) return "accesses are made in another order or not once";
    if (next == instruction.accesses.size()) return "a µop makes no access of the instruction";
    const MemoryAccess& access = instruction.accesses[next++];
    if (access.store != (uop.kind == UopKind::Store)) return "a store loads or a load stores";
    if (access.bytes == 0 || access.bytes > 32) return "an access of no or too many bytes";
    if (uop.kind == UopKind::Store && uop.destination_count != 0) return "a store writes a register";
  }
  return next == instruction.accesses.size() ? "" : "no µop makes an access";
}

std::string broken_by_registers(const StaticInstruction& instruction) {
  std::array<bool, kRegisterCount> written{};
  for (const Uop& uop : instruction.uops) {
    if (uop.source_count > uop.sources.size() || uop.destination_count > uop.destinations.size())
      return "too many operands";
    for (const RegisterId id : uop.read()) {
      if (id >= kRegisterCount) return "a source is no register";
      if (id >= kTemporary && !written[id]) return "a temporary is read before it is written";
      if (std::ranges::count(uop.read(), id) != 1) return "a source is named twice";
    }
    for (const RegisterId id : uop.written()) {
      if (id >= kRegisterCount) return "a destination is no register";
      written[id] = true;
    }
    if (uop.destination_count == 2 && (uop.destinations[1] != kFlags || uop.destinations[0] == kFlags))
      return "the second destination is not the flags";
  }
  return {};
}

}  // namespace

std::string broken_invariant(const StaticInstruction& instruction) {
  if (instruction.uops.empty()) return "no µops";
  const auto branches = [](const Uop& uop) { return uop.kind == UopKind::Branch; };
  const bool is_branch = instruction.branch != BranchKind::None;
  if (std::ranges::count_if(instruction.uops, branches) != (is_branch ? 1 : 0)) return "branches and µops differ";
  if (is_branch && !branches(instruction.uops.back())) return "a µop follows the branch";
  if (std::string broken = broken_by_accesses(instruction); !broken.empty()) return broken;
  return broken_by_registers(instruction);
}

}  // namespace warpfork::x86
