#include "gpu/race_check.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/error.h"
#include "gpu/finding_places.h"
#include "gpu/lane_organisation.h"
#include "gpu/resident_block.h"
#include "ptx/operand_walk.h"
#include "simt/system_calls.h"

namespace warpfork::gpu {

using simt::InstructionKind;
using simt::MemorySpace;
using Kind = PastAccess::Kind;

namespace {

Kind kind_of(const simt::MemoryAccess& access) {
  if (access.is_atomic) return Kind::Atomic;
  return access.is_write ? Kind::Write : Kind::Read;
}

/// What memory holds now.
std::uint32_t value_at(const std::byte* memory, unsigned bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, memory, bytes);
  return value;
}

}  // namespace

RaceCheck::RaceCheck(const MachineSpec& spec, const simt::Launch& launch)
    : launch_(launch), program_(*launch.program), used_(program_), places_(spec.cores) {
  for (std::vector<Place>& core : places_) core.resize(warp_slots(spec.core));
  for (const ptx::Instruction& instruction : program_.function->body) words_.push_back(words_of(instruction));
}

RaceCheck::Words RaceCheck::words_of(const ptx::Instruction& instruction) {
  using ptx::Modifier;
  Words words;
  words.releases = instruction.has(Modifier::Release) || instruction.has(Modifier::AcqRel);
  words.meets = words.releases || instruction.has(Modifier::Volatile) || instruction.has(Modifier::Relaxed) ||
                instruction.has(Modifier::Acquire);
  if (instruction.opcode == ptx::Opcode::Call)
    words.frees = std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
      const std::string* name = ptx::symbol_name(operand);
      return name != nullptr && *name == "free";
    });
  return words;
}

std::uint32_t RaceCheck::tick() {
  warpfork::check(time_ != ~std::uint32_t{0}, [] { return std::string("too many accesses for --racecheck"); });
  return ++time_;
}

void RaceCheck::block_started(const report::BlockEvent& event) {
  const auto number = static_cast<std::uint32_t>(launch_.grid.number_of(event.index));
  Order& order = blocks_[number];
  order.number = number;
  Place& place = places_[event.at.core][event.at.unit];
  place.block = &order;
  place.waiting = 0;
  place.shared.clear();
}

void RaceCheck::issued(const report::IssueEvent& event) {
  Place& place = places_[event.core][event.warp - event.step->warp];
  if (words_[event.pc].frees) freed_ = tick();
  switch (event.step->instruction->kind) {
    case InstructionKind::Load:
    case InstructionKind::Store:
    case InstructionKind::Atomic:
      if (event.executed.none()) break;
      if (words_[event.pc].releases) place.block->fences.push_back(tick());
      check(event, place);
      break;
    case InstructionKind::Barrier:
    case InstructionKind::Exit:
      note_barrier(event, place);
      break;
    case InstructionKind::MemoryBarrier:
      place.block->fences.push_back(tick());
      break;
    default:
      break;
  }
}

/// Fewer threads wait than were there and have come: a barrier has opened.
void RaceCheck::note_barrier(const report::IssueEvent& event, Place& place) {
  const simt::Instruction& instruction = *event.step->instruction;
  const bool comes_to_wait =
      instruction.kind == InstructionKind::Barrier && instruction.barrier_form != simt::BarrierForm::Arrive;
  const unsigned there = place.waiting + (comes_to_wait ? event.active.count() : 0);
  place.waiting = event.block->waiting_threads();
  if (place.waiting < there) place.block->barrier = tick();
}

void RaceCheck::check(const report::IssueEvent& event, Place& place) {
  const Step& step = *event.step;
  const simt::MemoryAccess& access = event.block->access(step);
  if (access.space != MemorySpace::Global && access.space != MemorySpace::Shared) return;
  const bool shared = access.space == MemorySpace::Shared;
  PastAccess now{tick(), place.block->number, event.pc, 0, 0, kind_of(access), words_[event.pc].meets};
  if (now.is_synchronising() && now.kind != Kind::Write) place.block->acquired = now.time;
  AccessShadow& shadow = shared ? place.shared : global_;
  const auto of_warp = [&](WarpId warp, ActiveMask lanes) {
    const std::byte* base =
        shared ? event.block->warp(warp, 0).memory.shared : launch_.memory->host_base() - simt::DeviceMemory::kBase;
    (lanes & access.lanes).for_each([&](unsigned lane) {
      now.warp = static_cast<std::uint16_t>(warp);
      now.thread = static_cast<std::uint16_t>(
          thread_number(event.block->warp(warp, lane / simt::kRowLanes), lane % simt::kRowLanes));
      for (const simt::UsedBytes::Piece& piece : used_.of(event.pc))
        shadow.touch(access.address[lane] + piece.offset, piece.bytes,
                     [&](ShadowCell& cell, std::uint64_t at, unsigned bytes) {
                       compare(cell, now, value_at(base + at, bytes), at, shared);
                     });
    });
  };
  if (step.homes.empty()) of_warp(step.warp, step.executed);
  for (const HomeLanes& home : step.homes) of_warp(home.warp, home.lanes & step.executed);
}

/// A store of what is there already changes nothing for anybody, whenever it comes.
void RaceCheck::compare(ShadowCell& cell, const PastAccess& access, std::uint32_t value, std::uint64_t address,
                        bool shared) {
  if (access.kind == Kind::Write && cell.is_known && cell.value == value) return;
  const auto look_at = [&](const PastAccess& before) {
    if (!before.exists() || is_ordered(before, access)) return;
    if (shared || !was_freed_since(before, address)) report(before, access, address, shared);
  };
  look_at(cell.write);
  if (access.writes()) {
    for (PastAccess& read : cell.reads) {
      look_at(read);
      read = {};
    }
    cell.write = access;
  } else {
    PastAccess& first = cell.reads[0];
    const bool replaces = !first.exists() || (first.block == access.block && first.warp == access.warp);
    (replaces ? first : cell.reads[1]) = access;
  }
  cell.value = value;
  cell.is_known = true;
}

bool RaceCheck::is_ordered(const PastAccess& before, const PastAccess& now) const {
  if (before.time == now.time) return true;  // one instruction
  if (before.is_synchronising() && now.is_synchronising()) return true;
  const Order& other = blocks_.at(before.block);
  if (before.block == now.block && (before.warp == now.warp || other.barrier > before.time)) return true;
  const auto fence = std::ranges::upper_bound(other.fences, before.time);
  return fence != other.fences.end() && *fence < blocks_.at(now.block).acquired;
}

/// The memory has been another allocation then, as far as can be told.
bool RaceCheck::was_freed_since(const PastAccess& before, std::uint64_t address) const {
  return before.time < freed_ && launch_.memory->label_at(address) == simt::kDeviceHeap;
}

void RaceCheck::report(const PastAccess& before, const PastAccess& now, std::uint64_t address, bool shared) {
  const auto [known, is_new] = known_.try_emplace({before.pc, now.pc, shared}, findings_.size());
  if (is_new)
    findings_.push_back({"race", shared ? "shared" : "global", address, 0,
                         shared ? report::AllocationPlace() : allocation_place(*launch_.memory, address),
                         place_of(before), place_of(now)});
  ++findings_[known->second].count;
}

report::AccessPlace RaceCheck::place_of(const PastAccess& access) const {
  static constexpr const char* kNames[] = {"", "read", "write", "atomic"};
  return access_place(program_, kNames[static_cast<unsigned>(access.kind)], launch_.grid.position_of(access.block),
                      launch_.block.position_of(access.thread), access.pc);
}

report::Findings RaceCheck::findings() const { return {{"races"}, findings_}; }

}  // namespace warpfork::gpu
