#include "simulation/bare_kernel.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <variant>

#include "base/error.h"
#include "base/text.h"
#include "config/buffer_comparison.h"
#include "config/text_file.h"
#include "process/output_file.h"
#include "ptx/parser.h"
#include "simt/device_memory.h"
#include "simt/loaded_module.h"
#include "simulation/lone_launch.h"

namespace warpfork::simulation {

namespace {

using config::BufferArgument;
using config::LaunchFile;

/// Addresses of the launch file's buffers, in order; their contents, zeros too, are copied from the host.
std::vector<std::uint64_t> allocate_buffers(const LaunchFile& launch, simt::DeviceMemory& memory,
                                            cuda::LaunchSink& simulation) {
  std::vector<std::uint64_t> addresses;
  for (const config::Argument& argument : launch.arguments)
    if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
      addresses.push_back(memory.allocate(buffer->bytes, buffer->name));
      buffer->initialise({memory.find(addresses.back(), buffer->bytes), buffer->bytes});
      simulation.copied_from_host(addresses.back(), buffer->bytes);
      if (simt::MemoryWatch* watch = memory.watched(); watch && buffer->is_initialised)
        watch->write(addresses.back(), buffer->bytes);
    }
  return addresses;
}

std::vector<process::BufferImage> read_buffers(const LaunchFile& launch, std::span<const std::uint64_t> addresses,
                                               simt::DeviceMemory& memory) {
  std::vector<process::BufferImage> images;
  for (const config::Argument& argument : launch.arguments)
    if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
      const std::byte* begin = memory.find(addresses[images.size()], buffer->bytes);
      images.push_back({buffer->name, {begin, begin + buffer->bytes}});
    }
  return images;
}

void write_outputs(const LaunchFile& launch, const std::vector<process::BufferImage>& images) {
  for (const process::BufferImage& image : images) {
    const auto& path = launch.find_buffer(image.name)->output;
    if (!path) continue;
    process::write_text(path->string(), {reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()});
  }
}

/// `read`: what the launch is made of.
void require_writable_outputs(const LaunchFile& launch, const std::vector<std::string>& read) {
  const std::vector<std::string> outputs = output_files(launch);
  process::require_apart(outputs, read);
  for (const std::string& output : outputs) process::require_writable(output);
}

report::Json comparison_record(const config::BufferComparison& comparison, const config::ScalarType& type) {
  report::Json record = {{"buffer", comparison.buffer}, {"type", std::string(type.name)}};
  record["elements"] = comparison.elements;
  record["differing"] = comparison.differing;
  record["largest_error"] = nullptr;
  if (std::isfinite(comparison.largest_error)) record["largest_error"] = comparison.largest_error;
  if (!comparison.passed())
    record["first"] = {
        {"index", comparison.first_index}, {"got", comparison.first_got}, {"expected", comparison.first_expected}};
  return record;
}

void compare_buffers(const LaunchFile& launch, process::Outcome& outcome) {
  for (const config::Expectation& expectation : launch.expectations) {
    const auto image =
        std::find_if(outcome.buffers.begin(), outcome.buffers.end(),
                     [&](const process::BufferImage& image) { return image.name == expectation.buffer; });
    const config::BufferComparison comparison = config::compare(expectation, image->bytes);
    outcome.program["expectations"].push_back(comparison_record(comparison, expectation.type));
    if (comparison.passed()) continue;
    outcome.status = 1;
    outcome.complaints.push_back(comparison.describe());
  }
}

std::uint64_t bytes_of(const config::Argument& argument, const ptx::Variable& parameter) {
  const auto* scalar = std::get_if<config::ScalarArgument>(&argument);
  // An address is as wide as the parameter that takes it.
  return scalar ? scalar->value.size() : std::min<std::uint64_t>(parameter.bytes, sizeof(std::uint64_t));
}

}  // namespace

std::vector<std::byte> parameter_buffer(const ptx::Function& kernel, const LaunchFile& launch,
                                        std::span<const std::uint64_t> addresses) {
  if (launch.arguments.size() != kernel.parameters.size())
    throw Error("kernel '{}' has {}, but the launch file gives {}", kernel.name,
                counted(kernel.parameters.size(), "parameter"), counted(launch.arguments.size(), "argument"));
  const std::vector<std::uint64_t> offsets = kernel.parameter_offsets();
  std::vector<std::byte> buffer(kernel.parameter_bytes());
  std::size_t next_address = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const ptx::Variable& parameter = kernel.parameters[i];
    const std::uint64_t bytes = bytes_of(launch.arguments[i], parameter);
    if (bytes != parameter.bytes)
      throw Error("argument {} has {}, but parameter '{}' of kernel '{}' has {}", i + 1, counted(bytes, "byte"),
                  parameter.name, kernel.name, parameter.bytes);
    if (const auto* scalar = std::get_if<config::ScalarArgument>(&launch.arguments[i])) {
      std::copy(scalar->value.begin(), scalar->value.end(), buffer.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
      continue;
    }
    const std::uint64_t address = addresses[next_address++];
    for (std::uint64_t b = 0; b < bytes; ++b) buffer[offsets[i] + b] = static_cast<std::byte>(address >> (8 * b));
  }
  return buffer;
}

std::vector<std::string> output_files(const LaunchFile& launch) {
  std::vector<std::string> files;
  for (const config::Argument& argument : launch.arguments)
    if (const auto* buffer = std::get_if<BufferArgument>(&argument); buffer && buffer->output)
      files.push_back(buffer->output->string());
  return files;
}

process::Outcome run_bare_kernel(const std::string& ptx_file, const std::string& launch_file,
                                 cuda::LaunchSink& simulation, std::uint64_t device_memory_bytes, unsigned warp_size,
                                 process::GuestOutput output) {
  const LaunchFile launch = config::read_launch_file(launch_file);
  require_writable_outputs(launch, {ptx_file, launch_file});
  ptx::Module module = ptx::parse(config::read_text(ptx_file), ptx_file, warp_size);
  simt::DeviceMemory memory(device_memory_bytes);
  if (simulation.watches_memory()) memory.watch();
  const std::vector<std::uint64_t> addresses = allocate_buffers(launch, memory, simulation);
  simt::LoadedModule loaded(std::move(module), memory, simt::host_instruction_set(), simulation.code_options());
  const simt::Program& kernel = loaded.kernel(launch.kernel);

  simt::Launch grid;
  grid.program = &kernel;
  grid.memory = &memory;
  grid.grid = launch.grid;
  grid.block = launch.block;
  grid.parameters = parameter_buffer(*kernel.function, launch, addresses);
  grid.dynamic_shared_bytes = launch.shared_bytes;
  if (simulation.residency(kernel, grid.threads_per_block(), grid.dynamic_shared_bytes).lacks_registers())
    grid.program = &loaded.kernel(launch.kernel, grid.threads_per_block());
  process::Outcome outcome;
  outcome.program = {{"kind", "ptx"},
                     {"name", std::filesystem::path(ptx_file).filename().string()},
                     {"expectations", report::Json::array()}};
  if (!run_lone_launch(grid, simulation, output, outcome)) return outcome;
  outcome.buffers = read_buffers(launch, addresses, memory);
  write_outputs(launch, outcome.buffers);
  compare_buffers(launch, outcome);
  return outcome;
}

}  // namespace warpfork::simulation
