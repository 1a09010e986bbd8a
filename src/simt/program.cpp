#include "simt/program.h"

#include <algorithm>

#include "base/aligned.h"

namespace warpfork::simt {

Pc Program::meeting_of_callers(Pc of_all, Pc of_split) const {
  for (Pc later = of_all; later != kNoPc; later = later_meetings[later])
    if (later == of_split) return of_all;
  return of_split;
}

std::uint32_t Program::with_padding(MemorySpace space, std::uint32_t bytes) const {
  for (const Padding& behind : padding)
    if (behind.space == space) bytes = std::max(bytes, behind.end);
  return bytes;
}

std::uint32_t Program::parameter_room() const {
  const std::vector<std::uint64_t> offsets = function->parameter_offsets();
  std::uint64_t room = parameter_bytes;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const ptx::Variable& parameter = function->parameters[i];
    room = std::max(room, aligned(offsets[i] + parameter.bytes, parameter.alignment));
  }
  return static_cast<std::uint32_t>(room);
}

}  // namespace warpfork::simt
