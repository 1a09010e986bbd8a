#include "gpu/finding_places.h"

#include <string>

namespace warpfork::gpu {

report::AccessPlace access_place(const simt::Program& program, const char* access, Dim3 block, Dim3 thread, Pc pc) {
  const ptx::Location& location = program.function->body[pc].location;
  return {access,
          {block.x, block.y, block.z},
          {thread.x, thread.y, thread.z},
          pc,
          location.line,
          {program.module->source_name(location), location.source_line}};
}

report::AllocationPlace allocation_place(const simt::DeviceMemory& memory, std::uint64_t address) {
  const simt::DeviceMemory::Range range = memory.allocation_at(address);
  return {std::string(memory.label_at(address)), range.bytes, address - range.begin};
}

}  // namespace warpfork::gpu
