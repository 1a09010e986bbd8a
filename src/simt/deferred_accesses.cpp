#include "simt/deferred_accesses.h"

#include <algorithm>
#include <cstring>

#include "simt/generic_address.h"
#include "simt/lanes/address_form.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {

namespace {

constexpr std::uint32_t kRow = kRowLanes * sizeof(std::uint32_t), kWideRow = kRowLanes * sizeof(std::uint64_t);

const Program& program_of(const WarpContext& warp) { return *warp.block->launch().program; }

/// How many registers the instruction loads or stores.
unsigned elements_at(const WarpContext& warp, Pc pc) { return program_of(warp).function->body[pc].vector_width; }

/// Where an address of the instruction lies.
GenericPlace place_of(const Instruction& instruction, std::uint64_t address) {
  if (instruction.space != MemorySpace::Generic) return {MemorySpace::Global, address};
  return simt::place_of(address);
}

RowLanes in_device_memory(const Instruction& instruction, const MemoryAccess::Addresses& address, RowLanes lanes) {
  RowLanes there;
  lanes.for_each([&](unsigned lane) {
    if (place_of(instruction, address[lane]).space == MemorySpace::Global) there.insert(lane);
  });
  return there;
}

/// Fills in what the timing model sees, as the handler would: of the lowest lane's space those lanes that share it.
void tell(const Instruction& instruction, WarpContext& warp, const MemoryAccess::Addresses& address, RowLanes lanes) {
  MemoryAccess& access = warp.access;
  const MemorySpace seen = place_of(instruction, address[lanes.lowest()]).space;
  RowLanes seen_lanes;
  access.address = address;
  lanes.for_each([&](unsigned lane) {
    const GenericPlace place = place_of(instruction, address[lane]);
    access.address[lane] = place.address;
    if (place.space == seen) seen_lanes.insert(lane);
  });
  access.space = seen;
  access.lanes = of_row(seen_lanes, 0);
  access.bytes = instruction.access_bytes;
  access.is_write = true;
  access.is_atomic = instruction.kind == InstructionKind::Atomic;
  access.has_changed = false;
}

bool is_aligned(const Instruction& instruction, const MemoryAccess::Addresses& address, RowLanes lanes) {
  bool aligned = true;
  lanes.for_each([&](unsigned lane) { aligned &= address[lane] % instruction.access_bytes == 0; });
  return aligned;
}

}  // namespace

void DeferredAccesses::defer() {
  defers_ = true;
  quick_load_ = kNever;
  accesses_.clear();
  performed_ = 0;
  copies_.clear();
}

void DeferredAccesses::execute(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const bool reaches_device = instruction.space == MemorySpace::Global || instruction.space == MemorySpace::Generic ||
                              instruction.space == MemorySpace::Const;
  const bool is_load = instruction.kind == InstructionKind::Load;
  if (reaches_device && defers_ && lanes.any())
    return is_load ? load(instruction, warp, lanes) : update(instruction, warp, lanes);
  instruction.handler(instruction, warp, lanes);
  if (reaches_device && !is_load) changed_->add_everything();
}

void DeferredAccesses::load(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  Access access = captured(instruction, warp);
  access.lanes = in_device_memory(instruction, addresses(access), lanes);
  instruction.handler(instruction, warp, lanes);
  if (access.lanes.none()) return;
  if (instruction.read_only || warp.access.space != MemorySpace::Global) note_quick(access);
  accesses_.push_back(access);
}

void DeferredAccesses::update(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  Access access = captured(instruction, warp);
  const MemoryAccess::Addresses address = addresses(access);
  if (!is_aligned(instruction, address, lanes)) {
    tell(instruction, warp, address, lanes);
    warp.access.address = address;
    fail_misaligned(instruction, warp, lanes);
  }
  const unsigned operands = instruction.kind == InstructionKind::Store ? elements_at(warp, warp.pc) : 3;
  const std::uint32_t room = program_of(warp).register_block_bytes;
  for (unsigned i = instruction.kind == InstructionKind::Store ? 1 : 2; i <= operands; ++i) {
    const std::uint32_t offset = instruction.operand[i];
    // A store's registers may be wider than what it stores: what is taken of the rows behind does no harm.
    const std::uint32_t bytes = instruction.kind == InstructionKind::Store ? std::min(kWideRow, room - offset)
                                : instruction.access_bytes == 8            ? kWideRow
                                                                           : kRow;
    capture(access, offset, bytes);
  }
  access.lanes = in_device_memory(instruction, address, lanes);
  if (access.lanes.any()) accesses_.push_back(access);
  if (const RowLanes elsewhere = lanes - access.lanes; elsewhere.any())
    instruction.handler(instruction, warp, elsewhere);
  tell(instruction, warp, address, lanes);
  if (access.lanes.any() && warp.access.space != MemorySpace::Global) note_quick(access);
}

DeferredAccesses::Access DeferredAccesses::captured(const Instruction& instruction, WarpContext& warp) {
  Access access{&instruction, &warp, {}, warp.pc, warp.clock};
  const std::uint32_t form = instruction.operand[0];
  if (form != AddressForm::kLiteral)
    capture(access, form & ~AddressForm::k32Bits, (form & AddressForm::k32Bits) != 0 ? kRow : kWideRow);
  return access;
}

void DeferredAccesses::capture(Access& access, std::uint32_t offset, std::uint32_t bytes) {
  for (unsigned i = 0; i < access.rows; ++i)
    if (access.row[i].offset == offset && access.row[i].bytes >= bytes) return;
  const std::byte* const row = access.warp->registers + offset;
  access.row[access.rows++] = {offset, bytes, copies_.size()};
  copies_.insert(copies_.end(), row, row + bytes);
}

MemoryAccess::Addresses DeferredAccesses::addresses(const Access& access) const {
  const std::byte* const bases = access.rows == 0 ? nullptr : copies_.data() + access.row[0].at;
  MemoryAccess::Addresses address{};
  for (unsigned lane = 0; lane < kRowLanes; ++lane) address[lane] = address_of(*access.instruction, bases, lane);
  return address;
}

void DeferredAccesses::perform(Cycle now) {
  for (; performed_ < accesses_.size() && accesses_[performed_].cycle <= now; ++performed_) {
    const Access& access = accesses_[performed_];
    const bool is_load = access.instruction->kind == InstructionKind::Load;
    if (is_load && !is_stale(access)) continue;
    perform(access);
    if (is_load) continue;
    const MemoryAccess::Addresses address = addresses(access);
    access.lanes.for_each([&](unsigned lane) { changed_->add(address[lane]); });
  }
}

bool DeferredAccesses::is_stale(const Access& access) const {
  if (!changed_->any()) return false;
  const MemoryAccess::Addresses address = addresses(access);
  bool stale = false;
  access.lanes.for_each([&](unsigned lane) { stale |= changed_->may_contain(address[lane]); });
  return stale;
}

/// With the operands that the instruction had; those of its registers that have got other values since keep these.
void DeferredAccesses::perform(const Access& access) {
  std::byte* const registers = access.warp->registers;
  present_.clear();
  for (unsigned i = 0; i < access.rows; ++i) {
    const std::byte* const row = registers + access.row[i].offset;
    present_.insert(present_.end(), row, row + access.row[i].bytes);
  }
  for (unsigned i = 0; i < access.rows; ++i)
    std::memcpy(registers + access.row[i].offset, copies_.data() + access.row[i].at, access.row[i].bytes);
  access.warp->pc = access.pc;
  access.instruction->handler(*access.instruction, *access.warp, access.lanes);
  const std::byte* from = present_.data();
  for (unsigned i = 0; i < access.rows; from += access.row[i++].bytes) put_back(access, access.row[i], from);
}

/// All but what the instruction has written.
void DeferredAccesses::put_back(const Access& access, const Row& row, const std::byte* from) const {
  const Instruction& instruction = *access.instruction;
  std::byte* const to = access.warp->registers + row.offset;
  unsigned results = 0;
  if (instruction.kind == InstructionKind::Load) results = elements_at(*access.warp, access.pc);
  if (instruction.kind == InstructionKind::Atomic) results = 1;
  const auto* const first = instruction.operand.begin() + 1;
  if (std::find(first, first + results, row.offset) == first + results) {
    std::memcpy(to, from, row.bytes);
    return;
  }
  const std::uint32_t bytes = row.bytes / kRowLanes;
  (RowLanes::first(kRowLanes) - access.lanes).for_each([&](unsigned lane) {
    std::memcpy(to + lane * bytes, from + lane * bytes, bytes);
  });
}

}  // namespace warpfork::simt
