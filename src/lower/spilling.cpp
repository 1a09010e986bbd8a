#include "lower/spilling.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "lower/body_edit.h"
#include "lower/colouring.h"
#include "lower/loop_depths.h"
#include "lower/rename_register.h"
#include "lower/untyped.h"

namespace warpfork::lower {

using ptx::RegisterId;
using ptx::ScalarType;

namespace {

constexpr const char* kSpillArea = "%spilled";

/// By register: how often it is read and written, ten times as much for each loop around.
std::vector<double> accesses(const ptx::Function& function, const analysis::ControlFlowGraph& graph,
                             const analysis::Liveness& liveness) {
  const std::vector<unsigned> depths = loop_depths(graph);
  std::vector<double> counts(function.registers.size(), 0);
  for (Pc pc = 0; pc < function.body.size(); ++pc) {
    const double weight = std::pow(10, std::min(depths[graph.block_of(pc)], 8u));
    for (const RegisterId id : liveness.uses(pc).reads) counts[id] += weight;
    for (const RegisterId id : liveness.uses(pc).writes) counts[id] += weight;
  }
  return counts;
}

ptx::Instruction access(ptx::Opcode opcode, RegisterId id, const SpilledRegister& place, const ptx::Function& function,
                        const ptx::Location& location) {
  ptx::Instruction made;
  made.opcode = opcode;
  made.space = ptx::StateSpace::Local;
  made.types = {untyped(ptx::bytes_of(function.registers[id].type))};
  const ptx::AddressOperand address{ptx::SymbolOperand{kSpillArea, 0}, place.offset};
  made.operands = opcode == ptx::Opcode::Ld ? std::vector<ptx::Operand>{ptx::RegisterOperand{id}, address}
                                            : std::vector<ptx::Operand>{address, ptx::RegisterOperand{id}};
  made.location = location;
  return made;
}

/// The .local variable with room for what has been spilled so far.
void grow_spill_area(ptx::Function& function, const SpilledRegister& last) {
  auto found = std::ranges::find(function.variables, kSpillArea, &ptx::Variable::name);
  if (found == function.variables.end()) {
    ptx::Variable area;
    area.name = kSpillArea;
    area.space = ptx::StateSpace::Local;
    area.type = ScalarType::B8;
    area.alignment = 8;
    function.variables.push_back(area);
    found = function.variables.end() - 1;
  }
  found->bytes = last.offset + last.bytes;
}

}  // namespace

std::vector<RegisterId> choose_spills(const ptx::Function& function, const analysis::ControlFlowGraph& graph,
                                      const analysis::Liveness& liveness, const InterferenceGraph& interference,
                                      const RegisterAllocation& coloured, unsigned limit, RegisterId first_temporary) {
  const std::vector<double> counts = accesses(function, graph, liveness);
  std::vector<RegisterId> chosen;
  const auto is_chosen = [&](RegisterId id) { return std::ranges::find(chosen, id) != chosen.end(); };
  for (RegisterId id = 0; id < coloured.places.size(); ++id) {
    const RegisterPlace& place = coloured.places[id];
    const unsigned units = units_of(function.registers[id].type);
    if (place.file != RegisterFile::Vector || place.number == RegisterPlace::kNowhere) continue;
    if (place.number + units <= limit) continue;
    const auto neighbours = interference.neighbours(id);
    if (is_chosen(id) || std::ranges::any_of(neighbours, is_chosen)) continue;
    std::optional<RegisterId> best;
    double least = 0;
    const auto consider = [&](RegisterId other) {
      const double cost = counts[other] / static_cast<double>(interference.neighbours(other).size() + 1) /
                          units_of(function.registers[other].type);
      if (other >= first_temporary || (best && cost >= least)) return;
      best = other;
      least = cost;
    };
    consider(id);
    std::ranges::for_each(neighbours, consider);
    if (best) chosen.push_back(*best);
  }
  return chosen;
}

bool is_spill(const ptx::Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
    const auto* address = operand.as<ptx::AddressOperand>();
    const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::SymbolOperand>(&address->base);
    return symbol != nullptr && symbol->name == kSpillArea;
  });
}

void spill(ptx::Function& function, std::span<const RegisterId> registers, std::vector<SpilledRegister>& spilled) {
  std::vector<std::size_t> place(function.registers.size(), ~std::size_t{0});  // index into `spilled`
  for (const RegisterId id : registers) {
    const std::uint32_t end = spilled.empty() ? 0 : spilled.back().offset + spilled.back().bytes;
    const std::uint32_t bytes = 4 * units_of(function.registers[id].type);
    place[id] = spilled.size();
    spilled.push_back({function.registers[id].name, (end + bytes - 1) / bytes * bytes, bytes});
  }
  if (!registers.empty()) grow_spill_area(function, spilled.back());

  BodyEdit edit(function);
  for (Pc pc = 0; pc < function.body.size(); ++pc) {
    ptx::Instruction& instruction = function.body[pc];
    const analysis::RegisterUse use = analysis::registers_of(instruction);
    const auto move = [&](RegisterId id) {
      if (id >= place.size() || place[id] == ~std::size_t{0}) return;
      const SpilledRegister& there = spilled[place[id]];
      const auto holds = [&](const std::vector<RegisterId>& list) { return std::ranges::find(list, id) != list.end(); };
      const auto temporary = static_cast<RegisterId>(function.registers.size());
      function.registers.push_back({there.name, function.registers[id].type});
      rename_register(instruction, id, temporary);
      // Where the guard is false the old value is written back.
      if (holds(use.reads) || instruction.guard)
        edit.insert_before(pc, access(ptx::Opcode::Ld, temporary, there, function, instruction.location));
      if (holds(use.writes))
        edit.insert_after(pc, access(ptx::Opcode::St, temporary, there, function, instruction.location));
    };
    std::vector<RegisterId> touched = use.reads;
    touched.insert(touched.end(), use.writes.begin(), use.writes.end());
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    std::ranges::for_each(touched, move);
  }
  edit.apply();
}

}  // namespace warpfork::lower
