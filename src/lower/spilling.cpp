#include "lower/spilling.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <variant>

#include "lower/appearances.h"
#include "lower/body_edit.h"
#include "lower/loop_depths.h"
#include "lower/rename_register.h"
#include "lower/untyped.h"

namespace warpfork::lower {

using analysis::BlockId;
using analysis::RegisterSet;
using ptx::RegisterId;
using ptx::ScalarType;

namespace {

constexpr const char* kSpillArea = "%spilled";

/// By register: how often it is read and written, ten times as much for each loop around.
std::vector<double> accesses(const ptx::Function& function, const analysis::ControlFlowGraph& graph,
                             const analysis::Liveness& liveness) {
  const std::vector<unsigned> depths = loop_depths(graph);
  std::vector<double> counts(function.registers.size(), 0);
  for (BlockId block = 0; block < graph.blocks().size(); ++block) {
    const double weight = std::pow(10, std::min(depths[block], 8u));
    for (Pc pc = graph.blocks()[block].first; pc < graph.blocks()[block].last; ++pc) {
      for (const RegisterId id : liveness.uses(pc).reads) counts[id] += weight;
      for (const RegisterId id : liveness.uses(pc).writes) counts[id] += weight;
    }
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

ptx::Variable spill_area(std::uint64_t bytes) {
  ptx::Variable area;
  area.name = kSpillArea;
  area.space = ptx::StateSpace::Local;
  area.type = ScalarType::B8;
  area.alignment = 8;
  area.bytes = bytes;
  return area;
}

bool holds(std::span<const RegisterId> list, RegisterId id) { return std::ranges::find(list, id) != list.end(); }

}  // namespace

Spilling::Spilling(ptx::Function& function, const analysis::ControlFlowGraph& graph, const analysis::Liveness& liveness,
                   std::span<const RegisterFile> files, InterferenceGraph& interference)
    : function_(function),
      graph_(graph),
      liveness_(liveness),
      interference_(interference),
      reads_(function.registers.size(), function.body.size(), [&](Pc pc) { return liveness.uses(pc).reads; }),
      writes_(function.registers.size(), function.body.size(), [&](Pc pc) { return liveness.uses(pc).writes; }),
      accesses_(accesses(function, graph, liveness)),
      elsewhere_(function.registers.size()),
      temporaries_(function.body.size()) {
  for (RegisterId id = 0; id < files.size(); ++id)
    if (files[id] != RegisterFile::Vector) elsewhere_.insert(id);
}

std::vector<RegisterId> Spilling::by_appearance() const {
  Appearances appearances(function_.registers.size());
  for (Pc pc = 0; pc < temporaries_.size(); ++pc) {
    const std::vector<Temporary>& here = temporaries_[pc];
    for (const Temporary& made : here)
      if (made.is_loaded) appearances.note(made.id);
    const auto note = [&](RegisterId id) {
      const auto made = std::ranges::find(here, id, &Temporary::original);
      appearances.note(made == here.end() ? id : made->id);
    };
    std::ranges::for_each(liveness_.uses(pc).reads, note);
    std::ranges::for_each(liveness_.uses(pc).writes, note);
  }
  return std::move(appearances).order();
}

std::vector<RegisterId> Spilling::choose(const RegisterAllocation& coloured, unsigned limit) const {
  std::vector<RegisterId> chosen;
  for (RegisterId id = 0; id < coloured.places.size(); ++id) {
    const RegisterPlace& place = coloured.places[id];
    if (place.file != RegisterFile::Vector || place.number == RegisterPlace::kNowhere) continue;
    const unsigned end = place.number + units(id);
    if (end > limit) choose_for(id, (end - limit + 1) / 2, chosen);
  }
  return chosen;
}

/// Adds the cheapest of the register and its neighbours until so many units are free for it, or it is spilled itself.
void Spilling::choose_for(RegisterId id, unsigned wanted, std::vector<RegisterId>& chosen) const {
  unsigned room = 0;
  const auto count = [&](RegisterId other) { room += other == id ? wanted : units(other); };
  for (const RegisterId other : chosen)
    if (other == id || interference_.interfere(id, other)) count(other);
  if (room >= wanted) return;
  for (const RegisterId other : cheapest_first(id)) {
    if (holds(chosen, other)) continue;
    chosen.push_back(other);
    count(other);
    if (room >= wanted) return;
  }
}

/// The register and its neighbours, temporaries left out: what is used seldom, outside loops, and in the way of many is
/// cheap.
std::vector<RegisterId> Spilling::cheapest_first(RegisterId id) const {
  std::vector<RegisterId> list;
  const auto add = [&](RegisterId other) {
    if (other < accesses_.size()) list.push_back(other);
  };
  add(id);
  std::ranges::for_each(interference_.neighbours(id), add);
  std::ranges::stable_sort(list, {}, [&](RegisterId other) {
    return accesses_[other] / static_cast<double>(interference_.neighbours(other).size() + 1) / units(other);
  });
  return list;
}

void Spilling::spill(std::span<const RegisterId> registers) {
  ++rounds_;
  std::vector<Touch> touched;
  for (const RegisterId id : registers) {
    for (const RegisterSites* sites : {&reads_, &writes_})
      for (const Pc pc : sites->of(id)) touched.push_back({pc, id, spilled_.size()});
    const std::uint32_t end = spilled_.empty() ? 0 : spilled_.back().offset + spilled_.back().bytes;
    const std::uint32_t bytes = 4 * units(id);
    spilled_.push_back({function_.registers[id].name, (end + bytes - 1) / bytes * bytes, bytes});
    elsewhere_.insert(id);
  }
  interference_.remove(registers);
  std::ranges::sort(touched);
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  const auto first = static_cast<RegisterId>(function_.registers.size());
  for (const Touch& touch : touched) replace(touch);
  connect(first, touched);
}

void Spilling::replace(const Touch& touch) {
  const auto& [pc, id, place] = touch;
  const auto [reads, writes] = liveness_.uses(pc);
  const auto temporary = static_cast<RegisterId>(function_.registers.size());
  function_.registers.push_back({spilled_[place].name, function_.registers[id].type});
  rename_register(function_.body[pc], id, temporary);
  // Where the guard is false the old value is written back.
  const bool is_loaded = holds(reads, id) || function_.body[pc].guard;
  temporaries_[pc].push_back({temporary, id, place, rounds_, is_loaded, holds(writes, id)});
}

/// Temporaries from `first` on become neighbours of what is alive with them.
void Spilling::connect(RegisterId first, std::span<const Touch> touched) {
  std::vector<std::vector<RegisterId>> found(function_.registers.size() - first);
  std::optional<BlockId> last;
  for (const Touch& touch : touched) {
    const BlockId block = graph_.block_of(touch.pc);
    if (block == last) continue;
    last = block;
    liveness_.for_each_backward(block, [&](Pc pc, const RegisterSet& alive) {
      for (const Temporary& made : temporaries_[pc])
        if (made.id >= first) found[made.id - first] = neighbours(made, pc, alive);
    });
  }
  for (std::vector<RegisterId>& list : found) interference_.add(std::move(list));
}

/// Those of them that were there before it.
std::vector<RegisterId> Spilling::neighbours(const Temporary& made, Pc pc, const RegisterSet& alive_after) const {
  const auto [reads, writes] = liveness_.uses(pc);
  const ptx::Instruction& instruction = function_.body[pc];
  RegisterSet around(accesses_.size());
  if (made.is_stored) {  // it is written while these are alive, and they are while it waits for its store
    around |= alive_after;
    const auto* copied = copied_register(instruction, function_);
    if (copied && copied->id < accesses_.size()) around.erase(copied->id);
    for (const RegisterId id : writes) around.insert(id);
  }
  if (made.is_loaded) {
    RegisterSet before = alive_after;
    if (!instruction.guard)
      for (const RegisterId id : writes) before.erase(id);
    for (const RegisterId id : reads) before.insert(id);
    around |= before;
  }
  around -= elsewhere_;
  std::vector<RegisterId> list;
  around.for_each([&](RegisterId id) { list.push_back(id); });
  for (const Temporary& other : temporaries_[pc])
    if (other.id < made.id && ((other.is_loaded && made.is_loaded) || (other.is_stored && made.is_stored)))
      list.push_back(other.id);
  return list;
}

std::vector<SpilledRegister> Spilling::write() {
  function_.variables.push_back(spill_area(spilled_.back().offset + spilled_.back().bytes));
  BodyEdit edit(function_);
  for (Pc pc = 0; pc < temporaries_.size(); ++pc) {
    std::vector<Temporary>& here = temporaries_[pc];
    const auto make = [&](ptx::Opcode opcode, const Temporary& made) {
      return access(opcode, made.id, spilled_[made.place], function_, function_.body[pc].location);
    };
    for (const Temporary& made : here)
      if (made.is_loaded) edit.insert_before(pc, make(ptx::Opcode::Ld, made));
    std::ranges::stable_sort(here, std::greater(), &Temporary::round);  // what is chosen later is stored first
    for (const Temporary& made : here)
      if (made.is_stored) edit.insert_after(pc, make(ptx::Opcode::St, made));
  }
  edit.apply();
  return std::move(spilled_);
}

bool is_spill(const ptx::Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
    const auto* address = operand.as<ptx::AddressOperand>();
    const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::SymbolOperand>(&address->base);
    return symbol != nullptr && symbol->name == kSpillArea;
  });
}

}  // namespace warpfork::lower
