#include "simulation/work_file.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/temporary_files.h"
#include "process/output_file.h"
#include "report/launch_json.h"

namespace warpfork::simulation {

namespace {

using report::Json;
using Bytes = Json::binary_t::container_type;

Json binary(const void* bytes, std::size_t size) {
  const auto* first = static_cast<const std::uint8_t*>(bytes);
  return Json::binary(Bytes(first, first + size));
}

Json state_of(const Work& work) {
  const process::Outcome& outcome = work.outcome;
  Json launches = Json::array(), buffers = Json::array();
  for (const report::LaunchRecord& launch : outcome.launches) launches.push_back(report::state_of(launch));
  for (const auto& [name, bytes] : outcome.buffers)
    buffers.push_back({{"name", name}, {"bytes", binary(bytes.data(), bytes.size())}});
  return {{"machine", work.machine},
          {"host_seconds", work.host_seconds},
          {"energy", work.energy.has_value()},
          {"program", outcome.program},
          {"launches", std::move(launches)},
          {"status", outcome.status},
          {"complaints", outcome.complaints},
          {"buffers", std::move(buffers)},
          {"output", binary(outcome.output.data(), outcome.output.size())},
          {"kernels_printed", outcome.kernels_printed}};
}

process::Outcome outcome_from(const Json& state) {
  process::Outcome outcome;
  outcome.program = state.at("program");
  for (const Json& launch : state.at("launches")) outcome.launches.push_back(report::launch_from(launch));
  outcome.status = state.at("status");
  outcome.complaints = state.at("complaints");
  for (const Json& buffer : state.at("buffers")) {
    const Bytes& bytes = buffer.at("bytes").get_binary();
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    outcome.buffers.push_back({buffer.at("name"), {first, first + bytes.size()}});
  }
  const Bytes& output = state.at("output").get_binary();
  outcome.output.assign(output.begin(), output.end());
  outcome.kernels_printed = state.at("kernels_printed");
  return outcome;
}

/// In CBOR: a program's output and arguments are bytes, and need not be text.
void write(const std::filesystem::path& file, const Json& state) {
  process::OutputFile whole(file.string());
  std::ofstream stream(whole.path(), std::ios::binary);
  const std::vector<std::uint8_t> bytes = Json::to_cbor(state);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush())
    throw Error("{}: cannot be written: {}{}", file.string(), std::strerror(errno), kTemporaryRemedy);
  whole.keep();
}

Json read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error("{}: {}", file.string(), std::strerror(errno));
  return Json::from_cbor(stream);
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkOptions, program, arguments, launch, machine, scheduler, scalarize,
                                   check_scalars, overrides, functional_only, energy, kernels, launches, max_cycles,
                                   max_instructions)

void write_work_options(const std::filesystem::path& file, const WorkOptions& options) {
  write(file, nlohmann::json(options));
}

WorkOptions read_work_options(const std::filesystem::path& file) {
  return nlohmann::json(read(file)).get<WorkOptions>();
}

bool do_work_into(const std::filesystem::path& file, const WorkOptions& options, const MechanismChoice& mechanisms) {
  Json left;
  try {
    left = state_of(do_work(options, mechanisms, process::GuestOutput::Captured));
  } catch (const InvariantError&) {
    throw;
  } catch (const std::exception& error) {
    left = {{"failure", message_of(error)}};
  }
  write(file, left);
  return !left.contains("failure");
}

Work read_work(const std::filesystem::path& file) {
  const Json state = read(file);
  if (state.contains("failure")) throw Error("{}", state["failure"].get<std::string>());
  Work work{outcome_from(state), state.at("machine"), state.at("host_seconds"), {}};
  if (state.at("energy")) work.energy.emplace(work.machine, work.outcome.launches);
  return work;
}

}  // namespace warpfork::simulation
