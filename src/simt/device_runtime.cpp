#include "simt/device_runtime.h"

#include <algorithm>
#include <cstring>

#include "simt/function_addresses.h"

namespace warpfork::simt {

void DeviceRuntime::begin(const Launch& launch) {
  for (const auto& [arguments, grid] : std::exchange(prepared_, {})) memory_->free(arguments);
  memory_ = launch.memory;
  grid_id_ = launch.grid_id;
  grids_.clear();
  tail_.clear();
  last_errors_.clear();
  const Program& program = *launch.program;
  const bool is_known = program.module == module_ && program.places->code == code_;
  module_ = program.module;
  code_ = program.places->code;
  if (!is_known) kernels_.clear();
}

std::vector<DeviceGrid> DeviceRuntime::take_grids() {
  std::vector<DeviceGrid> grids = std::exchange(grids_, {});
  grids.insert(grids.end(), std::make_move_iterator(tail_.begin()), std::make_move_iterator(tail_.end()));
  tail_.clear();
  std::ranges::reverse(grids);
  return grids;
}

const ptx::Function* DeviceRuntime::kernel_at(std::uint64_t address) {
  if (kernels_.empty())
    for (const auto& [name, at] : function_addresses(*module_, code_))
      if (const ptx::Function* function = module_->find_function(name); function != nullptr && function->is_entry)
        kernels_[at] = function;
  const auto found = kernels_.find(address);
  return found == kernels_.end() ? nullptr : found->second;
}

std::uint64_t DeviceRuntime::prepare(DeviceGrid grid) {
  const std::uint64_t bytes = std::max<std::uint64_t>(grid.parameters.size(), 1);
  const std::uint64_t address = memory_->allocate(bytes, std::string(kArguments));
  prepared_[address] = std::move(grid);
  return address;
}

bool DeviceRuntime::launch(std::uint64_t arguments, std::uint64_t stream) {
  const auto found = prepared_.find(arguments);
  if (found == prepared_.end()) return false;
  DeviceGrid& grid = found->second;
  grid.launcher = grid_id_;
  std::memcpy(grid.parameters.data(), memory_->find(arguments, 1), grid.parameters.size());
  memory_->free(arguments);
  (stream == kTailStream ? tail_ : grids_).push_back(std::move(grid));
  prepared_.erase(found);
  return true;
}

}  // namespace warpfork::simt
