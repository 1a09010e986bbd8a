#include "cuda/runtime/kernel_registry.h"

#include <algorithm>
#include <utility>

#include "cuda/image/device_link.h"
#include "cuda/image/embedded_ptx.h"
#include "cuda/runtime/api_error.h"
#include "cuda/runtime/chosen_ptx.h"
#include "ptx/parser.h"

namespace warpfork::cuda {

namespace {

/// Of a thread (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
constexpr std::uint64_t kMostLocalBytes = 512 << 10;

/// 0 for a damaged image, too: it is refused when it is first needed.
unsigned architecture_of(const void* wrapper) {
  try {
    return embedded_architectures(wrapper).front();
  } catch (const Error&) {
    return 0;
  }
}

/// What `find` finds in the module, its refusals as CUDA tells them.
template <class Find>
const simt::Program& found(simt::LoadedModule& module, const CodeImage& image, Find&& find) {
  try {
    return find(module);
  } catch (const simt::RefusedKernel& error) {
    throw ApiError(cudaErrorInvalidPtx, error.what() + image.tried);
  } catch (const Error& error) {
    throw ApiError(cudaErrorInvalidDeviceFunction, error.what());
  }
}

}  // namespace

void KernelRegistry::set_stack_bytes(std::uint64_t bytes) {
  if (bytes > kMostLocalBytes) throw ApiError(cudaErrorInvalidValue);
  code_.stack_bytes = static_cast<std::uint32_t>(std::max<std::uint64_t>(bytes, lower::kStackBytes));
  for (const CodeImage& image : images_)
    if (image.module) image.module->grow_stacks(code_.stack_bytes);
}

CodeImage& KernelRegistry::add_image(const void* wrapper) {
  // The name stands before ':line:column' in messages about the PTX.
  CodeImage& image = images_.emplace_back();
  image.name = fmt::format("{}.{}.ptx", program_name_, image_count_++);
  image.wrapper = wrapper;
  image.architecture = architecture_of(wrapper);
  return image;
}

CodeImage& KernelRegistry::load_image(std::string_view ptx) {
  CodeImage image;
  image.is_settled = true;
  image.name = fmt::format("{}.loaded.{}.ptx", program_name_, loaded_count_++);
  try {
    image.module = placed(image.name, ptx);
    image.module->decode_all();
  } catch (const Error& error) {
    throw ApiError(cudaErrorInvalidPtx, error.what());
  }
  return images_.emplace_back(std::move(image));
}

void KernelRegistry::settle(CodeImage& image) {
  if (std::exchange(image.is_settled, true)) return;
  try {
    if (embedded_architectures(image.wrapper).size() > 1) load(image);
  } catch (const std::exception&) {
    // It is told when something of the image is asked for.
  }
}

CodeImage* KernelRegistry::find_image(const void* handle) {
  const auto found = std::ranges::find_if(images_, [&](const CodeImage& image) { return &image == handle; });
  return found == images_.end() ? nullptr : &*found;
}

unsigned KernelRegistry::architecture() {
  unsigned highest = 0, lowest_instead = ~0u;
  for (CodeImage& image : images_) {
    settle(image);
    highest = std::max(highest, image.architecture);
    if (!image.note.empty()) lowest_instead = std::min(lowest_instead, image.architecture);
  }
  return std::min(highest, lowest_instead);
}

void KernelRegistry::remove_image(const CodeImage& image) {
  std::erase_if(kernels_, [&](const auto& entry) { return entry.second.image == &image; });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second.image == &image; });
  images_.remove_if([&](const CodeImage& other) { return &other == &image; });
}

void KernelRegistry::add_kernel(CodeImage& image, const void* host, std::string name) {
  kernels_[host] = {&image, std::move(name)};
}

void KernelRegistry::add_variable(CodeImage& image, const void* host, std::string name) {
  variables_[host] = {&image, std::move(name)};
}

void KernelRegistry::add_managed_variable(CodeImage& image, void** host, std::string name) {
  variables_[host] = {&image, name};
  image.managed.push_back({host, std::move(name)});
}

void KernelRegistry::place_managed_variables(CodeImage& image) {
  for (const auto& variable : image.managed)
    *variable.host = reinterpret_cast<void*>(static_cast<std::uintptr_t>(symbol(variable.host).address));
}

bool KernelRegistry::is_managed_variable(std::uint64_t address) const {
  return std::ranges::any_of(managed_variables(), [&](const auto& variable) { return variable.holds(address, 1); });
}

std::vector<simt::DeviceMemory::Range> KernelRegistry::managed_variables() const {
  std::vector<simt::DeviceMemory::Range> ranges;
  for (const CodeImage& image : images_) {
    if (!image.module) continue;
    for (const ptx::Variable& variable : image.module->module().variables) {
      if (!variable.is_managed) continue;
      if (const auto* symbol = image.module->find_symbol(variable.name); symbol != nullptr)
        ranges.push_back({symbol->address, symbol->bytes});
    }
  }
  return ranges;
}

RegisteredKernel* KernelRegistry::find_kernel(const void* host) {
  if (const auto found = kernels_.find(host); found != kernels_.end()) return &found->second;
  const auto handle = std::ranges::find_if(kernels_, [&](const auto& entry) { return &entry.second == host; });
  if (handle != kernels_.end()) return &handle->second;
  for (CodeImage& image : images_)
    for (auto& [name, kernel] : image.kernels)
      if (&kernel == host) return &kernel;
  return nullptr;
}

RegisteredKernel* KernelRegistry::kernel_of(CodeImage& image, std::string_view name) {
  const ptx::Function* const function = load(image).module().find_function(name);
  if (function == nullptr || !function->is_entry) return nullptr;
  for (auto& [host, kernel] : kernels_)
    if (kernel.image == &image && kernel.name == name) return &kernel;
  return &image.kernels.try_emplace(std::string(name), RegisteredKernel{&image, std::string(name)}).first->second;
}

const simt::Program& KernelRegistry::program(const RegisteredKernel& kernel) {
  return found(
      load(*kernel.image),
      *kernel.image, [&](simt::LoadedModule & module) -> auto& { return module.kernel(kernel.name); });
}

const simt::Program& KernelRegistry::program(const RegisteredKernel& kernel, unsigned block_threads) {
  return found(
      load(*kernel.image),
      *kernel.image, [&](simt::LoadedModule & module) -> auto& { return module.kernel(kernel.name, block_threads); });
}

/// A program names a managed variable by the address that it was given.
const void* KernelRegistry::key_of(const void* host) const {
  for (const CodeImage& image : images_)
    for (const auto& variable : image.managed)
      if (host != nullptr && *variable.host == host) return variable.host;
  return host;
}

simt::LoadedModule::Symbol KernelRegistry::symbol(const void* host) {
  const auto found = variables_.find(key_of(host));
  if (found == variables_.end()) throw ApiError(cudaErrorInvalidSymbol);
  const auto* symbol = load(*found->second.image).find_symbol(found->second.name);
  if (!symbol) throw ApiError(cudaErrorInvalidSymbol);
  return *symbol;
}

const simt::LoadedModule::Symbol* KernelRegistry::variable_of(CodeImage& image, std::string_view name) {
  return load(image).find_symbol(name);
}

simt::LoadedModule& KernelRegistry::load(CodeImage& image) {
  if (image.module) return *image.module;
  std::vector<std::uint32_t> architectures;
  try {
    architectures = embedded_architectures(image.wrapper);
  } catch (const Error& error) {
    throw ApiError(cudaErrorNoKernelImageForDevice, fmt::format("{}: {}", image.name, error.what()));
  }
  try {
    ChosenPtx chosen = choose_ptx(architectures, [&](std::uint32_t architecture) {
      return placed(image.name, link_device_code(embedded_ptx(image.wrapper, architecture), image.name));
    });
    image.module = std::move(chosen.module);
    image.architecture = chosen.architecture;
    image.tried = std::move(chosen.tried);
    image.note = std::move(chosen.note);
    if (!image.note.empty()) notes_.push_back(image.note);
  } catch (const Error& error) {
    throw ApiError(cudaErrorInvalidPtx, error.what());
  }
  return *image.module;
}

std::unique_ptr<simt::LoadedModule> KernelRegistry::placed(const std::string& name, std::string_view ptx) {
  return std::make_unique<simt::LoadedModule>(ptx::parse(ptx, name, warp_size_), memory_, simt::host_instruction_set(),
                                              code_);
}

}  // namespace warpfork::cuda
