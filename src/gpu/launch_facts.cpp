#include "gpu/launch_facts.h"

#include <fmt/format.h>

namespace warpfork::gpu {

report::LaunchRecord launch_facts(const simt::Launch& launch) {
  report::LaunchRecord record;
  record.name = launch.program->name;
  record.grid = launch.grid;
  record.block = launch.block;
  record.warp_size = launch.warp_size;
  return record;
}

void name_branches(report::LaunchRecord& record, const simt::Program& program) {
  for (report::BranchCount& branch : record.branches) {
    const ptx::Location& location = program.function->body[branch.pc].location;
    branch.ptx_line = location.line;
    branch.source_line = location.source_line;
    const auto file = program.module->source_files.find(location.source_file);
    if (location.source_line == 0 || file == program.module->source_files.end()) continue;
    branch.source_file = file->second.substr(file->second.find_last_of('/') + 1);
  }
}

Error deadlock(const simt::Program& program, Cycle now, const std::string& state) {
  return Error("kernel '{}' is deadlocked at cycle {}: no thread can ever go on\n{}", program.name, now, state);
}

}  // namespace warpfork::gpu
