// What a program registers before main: code images, and which host addresses stand for their kernels and variables.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simt/device_memory.h"
#include "simt/loaded_module.h"

namespace warpfork::cuda {

/// One registered code image. Its PTX is parsed and placed in device memory when it is first needed.
struct CodeImage {
  std::string name;               // for messages: "vecadd, image 0"
  const void* wrapper = nullptr;  // see embedded_ptx()
  unsigned architecture = 0;      // that its PTX is for: 75 for compute_75; 0 = it has none
  std::unique_ptr<simt::LoadedModule> module;

  struct ManagedVariable {
    void** host;  // where the host program keeps the variable's address
    std::string name;
  };
  std::vector<ManagedVariable> managed;
};

/// A kernel as the host program knows it.
struct RegisteredKernel {
  CodeImage* image = nullptr;
  std::string name;  // of the PTX entry
  // As cudaFuncSetAttribute sets them:
  std::optional<std::uint32_t> most_dynamic_shared_bytes = std::nullopt;  // of a launch; none: what the device has
  int shared_memory_carveout = -1;  // per cent; a hint that is told again, and changes nothing
};

/// Images, kernels and variables of one process. Host addresses are keys only, their order decides nothing.
class KernelRegistry {
 public:
  /// For a machine with warps of so many threads, that asks this of code.
  KernelRegistry(std::string program_name, simt::DeviceMemory& memory, unsigned warp_size,
                 const simt::CodeOptions& code)
      : program_name_(std::move(program_name)), memory_(memory), warp_size_(warp_size), code_(code) {}

  CodeImage& add_image(const void* wrapper);
  /// The highest architecture that the images' PTX is for; 0 if there is none.
  unsigned highest_architecture() const;
  /// Forgets the image, its kernels and its variables.
  void remove_image(const CodeImage& image);
  void add_kernel(CodeImage& image, const void* host, std::string name);
  void add_variable(CodeImage& image, const void* host, std::string name);
  void add_managed_variable(CodeImage& image, void** host, std::string name);
  /// Loads the image and gives the host program the addresses of its managed variables, which must be valid in both.
  void place_managed_variables(CodeImage& image);

  /// By the address under which it was registered, or by its handle: the pointer that this gives. Null if there is
  /// none.
  RegisteredKernel* find_kernel(const void* host);

  /// Loads the image if needed. Throws ApiError with the parser's or loader's message if it cannot be simulated.
  const simt::Program& program(const RegisteredKernel& kernel);
  /// Device address and size of a registered variable; loads its image. Throws ApiError(cudaErrorInvalidSymbol).
  simt::LoadedModule::Symbol symbol(const void* host);

 private:
  struct RegisteredVariable {
    CodeImage* image;
    std::string name;
  };
  simt::LoadedModule& load(CodeImage& image);

  std::string program_name_;
  simt::DeviceMemory& memory_;
  unsigned warp_size_;
  simt::CodeOptions code_;
  unsigned image_count_ = 0;
  std::list<CodeImage> images_;
  std::map<const void*, RegisteredKernel> kernels_;
  std::map<const void*, RegisteredVariable> variables_;
};

}  // namespace warpfork::cuda
