#include "reference/private_memory.h"

#include <algorithm>

#include "base/aligned.h"

namespace warpfork::reference {

Place PrivateMemory::reserve(ptx::StateSpace space, std::size_t bytes, std::size_t alignment) {
  Stack& memory = stack(space);
  const std::size_t step = std::max<std::size_t>(alignment, 1);
  const std::size_t offset = aligned(memory.end, step);
  memory.end = offset + bytes;
  memory.bytes.resize(std::max<std::size_t>(memory.bytes.size(), aligned(memory.end, step)));
  std::fill_n(memory.bytes.begin() + static_cast<std::ptrdiff_t>(offset), bytes, std::byte{0});
  return {space, offset};
}

void PrivateMemory::release(const Mark& mark) {
  local_.bytes.resize(mark.local_room);
  local_.end = mark.local;
  param_.bytes.resize(mark.param_room);
  param_.end = mark.param;
}

std::byte* PrivateMemory::find(const Place& place, std::size_t bytes) {
  std::vector<std::byte>& memory = stack(place.space).bytes;
  const bool fits = place.address <= memory.size() && memory.size() - place.address >= bytes;
  return fits ? memory.data() + place.address : nullptr;
}

}  // namespace warpfork::reference
