#include "sweep/identity.h"

#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/description.h"
#include "config/launch_file.h"
#include "config/text_file.h"
#include "divergence/plugin.h"
#include "process/install_paths.h"
#include "process/version.h"
#include "simulation/cpu_work.h"
#include "simulation/run_energy.h"
#include "simulation/simulation.h"
#include "sweep/content_hash.h"

namespace warpfork::sweep {

namespace {

namespace fs = std::filesystem;
using report::Json;

constexpr std::size_t kIdDigits = 16;

std::string kind_of(const Point& point) {
  if (point.on_cpu()) return "recording";
  return point.launch.empty() && !point.file.ends_with(".wfl") ? "cuda" : "ptx";
}

/// The file that an argument names: all of it, or what follows its first equals sign.
std::string named_file(const std::string& argument) {
  for (const std::string& name : {argument, argument.substr(argument.find('=') + 1)}) {
    std::error_code none;
    if (!name.empty() && fs::is_regular_file(name, none)) return name;
  }
  return "";
}

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A launch file with the contents of the files that it names.
Json inputs_of_launch(const std::string& file) {
  const std::string text = config::read_text(file);
  const config::LaunchFile launch = config::read_launch_file(file);
  Json inputs = Json::array({{{"name", file}, {"sha256", hash_of(text)}}});
  for (const config::Argument& argument : launch.arguments) {
    const auto* buffer = std::get_if<config::BufferArgument>(&argument);
    if (!buffer) continue;
    if (buffer->output)
      throw Error("{}: its buffer '{}' has an 'output': all points would write the same file {}\n  take it out", file,
                  buffer->name, buffer->output->string());
    if (!buffer->contents.empty())
      inputs.push_back({{"name", file + ": " + buffer->name}, {"sha256", hash_of(text_of(buffer->contents))}});
  }
  for (const config::Expectation& expectation : launch.expectations)
    inputs.push_back(
        {{"name", file + ": expected " + expectation.buffer}, {"sha256", hash_of(text_of(expectation.expected))}});
  return inputs;
}

Json gpu_description(const Point& point) {
  simulation::WorkOptions options;
  options.machine = point.description;
  options.overrides = point.overrides;
  return simulation::simulation_request(options, {}).at("machine");
}

ooo::MachineSpec core_description(const Point& point) {
  ooo::find_core(point.core);  // throws for an unknown one
  simulation::CpuOptions options;
  options.machine = point.description;
  options.overrides = point.overrides;
  return simulation::cpu_description(options);
}

Json document_of(const config::SweepOptions& options) {
  return {{"functional_only", options.functional_only},
          {"energy", options.energy},
          {"lines", options.lines},
          {"kernels", options.kernels},
          {"max_cycles", options.max_cycles}};
}

}  // namespace

/// A source tree with changes that are in no commit is known by its build alone, and so are plugins.
Json simulator() {
  const report::Tool tool = process::tool();
  Json simulator = {{"version", tool.version}, {"commit", tool.commit}};
  const std::vector<std::string> plugins = plugin_files();
  if (tool.commit.ends_with("-dirty") || tool.commit == "unknown" || !plugins.empty()) {
    std::string build =
        hash_of_file(process::program_file()) + hash_of_file(process::library_folder() / "libcudart.so.12");
    for (const std::string& plugin : plugins) build += hash_of_file(plugin);
    simulator["build"] = hash_of(build);
  }
  return simulator;
}

std::string find_program_file(const std::string& name) {
  if (fs::is_regular_file(name)) return name.find('/') == std::string::npos ? "./" + name : name;
  const std::string here = fs::current_path().string();
  if (name.find('/') != std::string::npos) throw Error("there is no program {}\n  looked for in {}", name, here);
  const fs::path workload = process::workloads_folder() / name;
  if (fs::is_regular_file(workload)) return workload.string();
  throw Error("there is no program {}\n  looked for in {} and {}", name, here, workload.parent_path().string());
}

Identifier::Identifier(const config::SweepOptions& options)
    : options_(document_of(options)), simulator_(simulator()), energy_(options.energy) {}

IdentifiedPoint Identifier::identify(const Point& point) {
  try {
    Json request;
    request["program"] = program_of(point);
    request["arguments"] = point.arguments;
    request["inputs"] = inputs_of(point);
    request["machine"] = {{"name", point.machine},
                          {"description", point.description},
                          {"core", point.core},
                          {"sha256", machine_of(point).hash}};
    request["overrides"] = point.overrides;
    request["options"] = point.on_cpu() ? document_of({}) : options_;  // which are of GPU runs
    if (!point.groups.empty()) request["groups"] = point.groups;
    request["axes"] = Json::object();
    for (const auto& [axis, value] : point.axes) request["axes"][axis] = value;
    request["simulator"] = simulator_;
    Json contents = Json::array();
    for (const Json& input : request["inputs"]) contents.push_back(input["sha256"]);
    const Json identity = {
        request["program"]["kind"],   request["program"]["sha256"], point.arguments, contents,  point.core,
        request["machine"]["sha256"], request["options"],           point.groups,    simulator_};
    const std::string hash = hash_of(identity.dump());
    request["hash"] = hash;
    request["label"] = point.label();
    return {point, hash.substr(0, kIdDigits), std::move(request), machine_of(point).key_users};
  } catch (const Error& error) {
    throw Error("{}point '{}': {}", point.place, point.label(), error.what());
  }
}

Json Identifier::program_of(const Point& point) {
  const std::string file = find_program_file(point.file);
  return {{"name", point.program},
          {"file", file},
          {"launch", point.launch},
          {"kind", kind_of(point)},
          {"sha256", file_hash(file)}};
}

Json Identifier::inputs_of(const Point& point) {
  Json inputs = files_of(point);
  if (const std::string& prices = machine_of(point).prices; !prices.empty())
    inputs.push_back({{"name", prices}, {"sha256", file_hash(prices)}});
  return inputs;
}

Json Identifier::files_of(const Point& point) {
  if (!point.launch.empty()) {
    const auto [known, is_new] = launches_.try_emplace(point.launch);
    if (is_new) known->second = inputs_of_launch(point.launch);
    return known->second;
  }
  Json inputs = Json::array();
  for (const std::string& argument : point.arguments)
    if (const std::string file = named_file(argument); !file.empty())
      inputs.push_back({{"name", file}, {"sha256", file_hash(file)}});
  return inputs;
}

const Identifier::Machine& Identifier::machine_of(const Point& point) {
  std::vector<std::string> key = {point.core, point.description};
  key.insert(key.end(), point.overrides.begin(), point.overrides.end());
  const auto [known, is_new] = machines_.try_emplace(std::move(key));
  if (!is_new) return known->second;
  if (point.on_cpu())
    return known->second = {hash_of(config::to_json(core_description(point)).dump()), simulation::cpu_price_list(), {}};
  const Json machine = gpu_description(point);
  known->second.hash = hash_of(machine.dump());
  known->second.key_users = simulation::key_users(machine);
  if (energy_) {
    const simulation::RunEnergy possible(machine, {});  // throws if its prices cannot be read
    known->second.prices = simulation::price_list(machine);
  }
  return known->second;
}

std::string Identifier::file_hash(const std::string& file) {
  const auto [known, is_new] = files_.try_emplace(file);
  if (is_new) known->second = hash_of_file(file);
  return known->second;
}

}  // namespace warpfork::sweep
