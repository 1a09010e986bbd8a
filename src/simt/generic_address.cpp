#include "simt/generic_address.h"

#include <cstring>

#include "simt/address_map.h"
#include "simt/lanes/address_form.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {

namespace {

/// [address, address + bytes) of a memory of `size` bytes.
template <typename Byte>
Byte* within(Byte* memory, std::uint64_t size, std::uint64_t address, std::uint64_t bytes) {
  return bytes <= size && address <= size - bytes ? memory + address : nullptr;
}

/// The same of the memories that a lane may write; null for others.
std::byte* find_writable(WarpContext& warp, unsigned lane, const GenericPlace& place, std::uint64_t bytes) {
  const MemoryView& memory = warp.memory;
  if (place.space == MemorySpace::Shared) return within(memory.shared, memory.shared_bytes, place.address, bytes);
  if (place.space == MemorySpace::Local)
    return within(memory.local + lane * memory.local_bytes, memory.local_bytes, place.address, bytes);
  if (place.space == MemorySpace::Param) return nullptr;
  return find_allocation(warp, place.address, bytes) ? memory.device_base + (place.address - DeviceMemory::kBase)
                                                     : nullptr;
}

/// For the launch's memory check.
void note_written(WarpContext& warp, unsigned lane, const GenericPlace& place, std::uint64_t bytes) {
  if (place.space == MemorySpace::Shared)
    std::memset(warp.block->written_shared() + place.address, 1, bytes);
  else if (place.space == MemorySpace::Local)
    std::memset(warp.block->written_local(warp, lane) + place.address, 1, bytes);
  else if (MemoryWatch* const watch = warp.memory.device->watched())
    watch->write(place.address, bytes);
}

}  // namespace

std::uint64_t address_of(const Instruction& instruction, const std::byte* bases, unsigned lane) {
  const std::uint32_t form = instruction.operand[0];
  if (form == AddressForm::kLiteral) return instruction.immediate;
  const bool narrow = (form & AddressForm::k32Bits) != 0;
  const std::size_t width = narrow ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
  std::uint64_t value = 0;
  std::memcpy(&value, bases + lane * width, width);
  value += instruction.immediate;
  return narrow ? static_cast<std::uint32_t>(value) : value;
}

GenericPlace place_of(std::uint64_t generic) {
  if (kSharedWindow.contains(generic)) return {MemorySpace::Shared, generic - kSharedWindow.begin};
  if (kLocalWindow.contains(generic)) return {MemorySpace::Local, generic - kLocalWindow.begin};
  if (kParamWindow.contains(generic)) return {MemorySpace::Param, generic - kParamWindow.begin};
  return {MemorySpace::Global, generic};
}

const std::byte* find_generic(WarpContext& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes) {
  const GenericPlace place = place_of(address);
  if (place.space != MemorySpace::Param) return find_writable(warp, lane, place, bytes);
  return within(warp.memory.parameters, warp.memory.parameter_bytes, place.address, bytes);
}

bool store_generic(WarpContext& warp, unsigned lane, std::uint64_t address, const void* from, std::uint64_t bytes) {
  const GenericPlace place = place_of(address);
  std::byte* const to = find_writable(warp, lane, place, bytes);
  if (to == nullptr) return false;
  std::memcpy(to, from, bytes);
  if (warp.block->launch().memory_check != nullptr) note_written(warp, lane, place, bytes);
  return true;
}

std::optional<std::string> text_at(WarpContext& warp, unsigned lane, std::uint64_t address) {
  std::string text;
  while (const std::byte* at = find_generic(warp, lane, address + text.size(), 1)) {
    if (*at == std::byte{0}) return text;
    text += static_cast<char>(*at);
  }
  return std::nullopt;
}

}  // namespace warpfork::simt
