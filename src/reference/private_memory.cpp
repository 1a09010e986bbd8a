#include "reference/private_memory.h"

#include <algorithm>

namespace warpfork::reference {

Place PrivateMemory::reserve(ptx::StateSpace space, std::size_t bytes, std::size_t alignment) {
  std::vector<std::byte>& memory = stack(space);
  const std::size_t step = std::max<std::size_t>(alignment, 1);
  const std::size_t offset = (memory.size() + step - 1) / step * step;
  memory.resize(offset + bytes, std::byte{0});
  return {space, offset};
}

void PrivateMemory::release(const Mark& mark) {
  local_.resize(mark.local);
  param_.resize(mark.param);
}

std::byte* PrivateMemory::find(const Place& place, std::size_t bytes) {
  std::vector<std::byte>& memory = stack(place.space);
  const bool fits = place.address <= memory.size() && memory.size() - place.address >= bytes;
  return fits ? memory.data() + place.address : nullptr;
}

}  // namespace warpfork::reference
