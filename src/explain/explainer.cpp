#include "explain/explainer.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/temporary_files.h"
#include "base/text.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"
#include "gpu/thread_lanes.h"
#include "report/kernel_name.h"

namespace warpfork::explain {

using report::Json;

namespace {

std::string place_text(Dim3 place) { return fmt::format("{},{},{}", place.x, place.y, place.z); }

/// Empty if the launch has the warp.
std::string why_not(const Request& request, const simt::Launch& launch, unsigned warps) {
  const Dim3 block = request.block, grid = launch.grid;
  if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z)
    return fmt::format("--warp: there is no block {}; the grid of kernel '{}' has {} x {} x {} blocks",
                       place_text(block), report::readable_kernel_name(launch.program->name), grid.x, grid.y, grid.z);
  if (request.warp >= warps)
    return fmt::format("--warp: there is no warp {}; a block of kernel '{}' has {}, {}", request.warp,
                       report::readable_kernel_name(launch.program->name),
                       counted(launch.threads_per_block(), "thread"), counted(warps, "warp"));
  return {};
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

Result read_result(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {};
  const Json json = Json::parse(stream);
  return {json.at("text"),     json.at("graph"),   json.at("frames"),  json.at("fault"),
          json.at("launches"), json.at("kernels"), json.at("launched")};
}

Explainer::Explainer(const Request& request) : request_(request), result_(read_result(request.result_file)) {}

report::LaunchListener* Explainer::begin(const simt::Launch& launch, const gpu::MachineSpec& machine) {
  if (is_done()) return nullptr;
  note_names(launch);
  if (is_meant(launch.program->name) && ++result_.launches == request_.launch_number) watch(launch, machine);
  save();
  return watch_.get();
}

void Explainer::watch(const simt::Launch& launch, const gpu::MachineSpec& machine) {
  const unsigned warp_size = machine.core.warp_size, threads = launch.threads_per_block();
  result_.fault = why_not(request_, launch, (threads + warp_size - 1) / warp_size);
  if (!result_.fault.empty()) return;
  const DivergenceMechanism& mechanism = find_divergence_mechanism(machine.divergence.mechanism);
  const gpu::LaneOrganisation& lanes = gpu::find_lane_organisation(machine.core.lanes.organisation);
  std::string head = fmt::format("kernel {}, launch {}, block {}, warp {}, under {}{} on {}\n",
                                 report::readable_kernel_name(launch.program->name), request_.launch_number,
                                 place_text(request_.block), request_.warp, mechanism.name,
                                 lanes.temporal ? fmt::format(" with {} lanes", lanes.name) : "", machine.name);
  if (mechanism.regroups)
    head += fmt::format(
        "Threads move between warps: this is what runs in the place of warp {}. W:MASK are lanes of threads of warp "
        "W.\n",
        request_.warp);
  if (gpu::lane_permutation(machine) != simt::LanePermutation::Identity)
    head += fmt::format("Lanes are permuted: {}; thread t of a warp has lane t XOR the warp's key.\n",
                        machine.divergence.lane_permutation);
  // The place of a last warp that is not full may hold threads of full ones.
  const unsigned width = gpu::used_lanes(machine, mechanism.regroups ? threads : threads - request_.warp * warp_size);
  watch_ = std::make_unique<WarpWatch>(*launch.program, request_, width, mechanism.regroups, head + '\n',
                                       lanes.temporal, request_.keeps_frames);
  facts_ = {{"kernel", report::readable_kernel_name(launch.program->name)},
            {"mechanism", mechanism.name},
            {"lanes", lanes.name},
            {"machine", machine.name},
            {"regroups", mechanism.regroups}};
}

void Explainer::end() {
  result_.text = watch_->text();
  result_.graph = watch_->graphviz();
  result_.frames = watch_->frames();
  if (!result_.frames.is_null()) result_.frames.update(facts_);
  watch_.reset();
  save();
}

bool Explainer::is_meant(const std::string& kernel) const {
  return request_.kernel.empty() || report::names_kernel(request_.kernel, kernel);
}

void Explainer::note_names(const simt::Launch& launch) {
  add_once(result_.launched, report::readable_kernel_name(launch.program->name));
  for (const ptx::Function& function : launch.program->module->functions)
    if (function.is_entry && !function.is_declaration)
      add_once(result_.kernels, report::readable_kernel_name(function.name));
}

void Explainer::save() const {
  const Json json = {{"text", result_.text},        {"graph", result_.graph},       {"frames", result_.frames},
                     {"fault", result_.fault},      {"launches", result_.launches}, {"kernels", result_.kernels},
                     {"launched", result_.launched}};
  std::ofstream stream(request_.result_file, std::ios::binary);
  stream << json.dump(-1, ' ', false, Json::error_handler_t::replace) << std::flush;
  if (!stream) throw Error("{}: cannot be written: {}{}", request_.result_file, std::strerror(errno), kTemporaryRemedy);
}

}  // namespace warpfork::explain
