#include "checkpoint/saved_launch.h"

#include <utility>

#include "lower/recursion.h"

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
  for (const ptx::Variable& variable : launch.program->function->variables)
    if (variable.name == lower::kStackVariable) saved.stack_bytes = static_cast<std::uint32_t>(variable.bytes);
  saved.parameters = launch.parameters;
  saved.module = launch.program->module->name;
  saved.places = *launch.program->places;
  for (const simt::DeviceMemory::Range& range : launch.memory->allocations())
    saved.allocations.push_back({{range.begin, range.bytes}, std::string(launch.memory->label_at(range.begin))});
  saved.copies = std::move(copies);
  return saved;
}

}  // namespace warpfork::checkpoint
