#include "simt/memory_check.h"

#include <fmt/format.h>

#include <cstring>

#include "lower/spilling.h"
#include "simt/execution_error.h"
#include "simt/generic_address.h"
#include "simt/lanes/address_form.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {

namespace {

std::uint64_t address_of(const Instruction& instruction, const WarpContext& warp, unsigned lane) {
  return address_of(instruction, warp.registers + (instruction.operand[0] & ~AddressForm::k32Bits), lane);
}

/// [address, address + bytes) of a map of `size` bytes.
std::byte* place_within(std::byte* map, std::uint64_t size, std::uint64_t address, std::uint64_t bytes) {
  return bytes <= size && address <= size - bytes ? map + address : nullptr;
}

}  // namespace

MemoryCheck::MemoryCheck(const Launch& launch) : program_(*launch.program), memory_(launch.memory), used_(program_) {
  for (Pc pc = 0; pc < program_.code.size(); ++pc)
    effects_.push_back(effect_of(program_.code[pc], program_.function->body[pc]));
}

MemoryCheck::Effect MemoryCheck::effect_of(const Instruction& instruction, const ptx::Instruction& source) {
  if (lower::is_spill(source)) return Effect::None;
  switch (instruction.kind) {
    case InstructionKind::Load:
      return Effect::Read;
    case InstructionKind::Store:
      return Effect::Write;
    case InstructionKind::Atomic:
      return source.has(ptx::Modifier::Exch) ? Effect::Write : Effect::ReadAndWrite;
    default:
      return Effect::None;
  }
}

void MemoryCheck::look_at(const Instruction& instruction, const WarpContext& warp, RowLanes lanes) {
  const auto pc = static_cast<Pc>(&instruction - program_.code.data());
  const Effect effect = effects_[pc];
  if (effect == Effect::None) return;
  const std::uint64_t bytes = instruction.access_bytes;
  (lanes & RowLanes::first(instruction.addressing_lanes)).for_each([&](unsigned lane) {
    Place place = place_of(instruction, warp, lane);
    if (place.written == nullptr) return;
    const std::uint64_t gap = effect == Effect::Write ? bytes : first_gap(pc, place.written);
    if (effect != Effect::Read) std::memset(place.written, 1, bytes);
    if (gap == bytes) return;
    place.address += gap;
    add(instruction, warp, lane, place);
  });
}

/// Where in a thread's access the first byte is that it uses and nobody wrote; its end if there is none.
std::uint64_t MemoryCheck::first_gap(Pc pc, const std::byte* written) const {
  for (const UsedBytes::Piece& piece : used_.of(pc))
    if (const std::uint64_t gap = first_unwritten(written + piece.offset, piece.bytes); gap != piece.bytes)
      return piece.offset + gap;
  return program_.code[pc].access_bytes;
}

MemoryCheck::Place MemoryCheck::place_of(const Instruction& instruction, const WarpContext& warp, unsigned lane) {
  const MemoryView& view = warp.memory;
  Place place{instruction.space, address_of(instruction, warp, lane), nullptr};
  if (place.space == MemorySpace::Generic) {
    const GenericPlace generic = simt::place_of(place.address);
    place.space = generic.space;
    place.address = generic.address;
  }
  const std::uint64_t bytes = instruction.access_bytes;
  if (place.space == MemorySpace::Shared)
    place.written = place_within(warp.block->written_shared(), view.shared_bytes, place.address, bytes);
  if (place.space == MemorySpace::Local)
    place.written = place_within(warp.block->written_local(warp, lane), view.local_bytes, place.address, bytes);
  if (place.space == MemorySpace::Global) place.written = written_device(place.address, bytes);
  return place;
}

std::byte* MemoryCheck::written_device(std::uint64_t address, std::uint64_t bytes) {
  const MemoryWatch* watch = memory_ == nullptr ? nullptr : memory_->watched();
  if (watch == nullptr) return nullptr;
  if (address - hit_.begin >= hit_.bytes) hit_ = memory_->allocation_at(address);
  return hit_.holds(address, bytes) ? watch->written_from(address) : nullptr;
}

void MemoryCheck::add(const Instruction& instruction, const WarpContext& warp, unsigned lane, const Place& first) {
  const auto pc = static_cast<Pc>(&instruction - program_.code.data());
  const auto [known, is_new] = known_.try_emplace({pc, first.space}, found_.size());
  if (is_new) {
    UninitialisedRead read;
    read.space = first.space;
    read.is_atomic = instruction.kind == InstructionKind::Atomic;
    read.address = first.address;
    read.pc = pc;
    read.block = warp.block->index();
    read.thread = thread_of(warp, lane);
    found_.push_back(read);
  }
  ++found_[known->second].count;
}

std::string MemoryCheck::describe() const {
  std::string text;
  for (const UninitialisedRead& read : found_)
    text += fmt::format("{}{} at {}", text.empty() ? "bytes that nobody had written were read before: " : ", ",
                        name_of(read.space), program_.module->place_text(program_.function->body[read.pc].location));
  return text;
}

}  // namespace warpfork::simt
