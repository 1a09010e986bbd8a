#include "simt/generic_address.h"

#include "simt/address_map.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {

namespace {

/// [address, address + bytes) of a memory of `size` bytes.
const std::byte* within(const std::byte* memory, std::uint64_t size, std::uint64_t address, std::uint64_t bytes) {
  return bytes <= size && address <= size - bytes ? memory + address : nullptr;
}

}  // namespace

const std::byte* find_generic(WarpContext& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes) {
  const MemoryView& memory = warp.memory;
  if (kSharedWindow.contains(address))
    return within(memory.shared, memory.shared_bytes, address - kSharedWindow.begin, bytes);
  if (kLocalWindow.contains(address))
    return within(memory.local + lane * memory.local_bytes, memory.local_bytes, address - kLocalWindow.begin, bytes);
  if (kParamWindow.contains(address))
    return within(memory.parameters, memory.parameter_bytes, address - kParamWindow.begin, bytes);
  return find_allocation(warp, address, bytes) ? memory.device_base + (address - DeviceMemory::kBase) : nullptr;
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
