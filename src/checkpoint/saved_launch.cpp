#include "checkpoint/saved_launch.h"

#include <utility>

#include "lower/stack_variable.h"

namespace warpfork::checkpoint {

SavedLaunch saved_launch(const simt::Launch& launch, std::string program, std::uint64_t number,
                         std::vector<MemoryRange> copies) {
  SavedLaunch saved;
  saved.program = std::move(program);
  saved.number = number;
  saved.kernel = launch.program->name;
  saved.grid = launch.grid;
  saved.block = launch.block;
  saved.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  saved.grid_id = launch.grid_id;
  saved.grid_workspace = launch.grid_workspace;
  saved.stack_bytes = lower::stack_bytes_of(*launch.program->function);
  saved.parameters = launch.parameters;
  saved.module = launch.program->module->name;
  saved.places = *launch.program->places;
  for (const simt::DeviceMemory::Range& range : launch.memory->allocations())
    saved.allocations.push_back({{range.begin, range.bytes}, std::string(launch.memory->label_at(range.begin))});
  saved.copies = std::move(copies);
  return saved;
}

}  // namespace warpfork::checkpoint
