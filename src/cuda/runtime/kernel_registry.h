// What a program registers before main: code images, and which host addresses stand for their kernels and variables;
// and the images that it loads by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simt/device_memory.h"
#include "simt/loaded_module.h"

namespace warpfork::cuda {

struct CodeImage;

/// A kernel as the host program knows it.
struct RegisteredKernel {
  CodeImage* image = nullptr;
  std::string name;  // of the PTX entry
  // As cudaFuncSetAttribute sets them:
  std::optional<std::uint32_t> most_dynamic_shared_bytes = std::nullopt;  // of a launch; none: what the device has
  int shared_memory_carveout = -1;  // per cent; a hint that is told again, and changes nothing
};

/// One code image. The PTX of a registered one is parsed and placed in device memory when it is first needed.
struct CodeImage {
  std::string name;               // for messages: "vecadd, image 0"
  const void* wrapper = nullptr;  // see embedded_ptx(); null of one that was loaded
  // That its PTX is for: 75 for compute_75; the highest, until one was chosen; 0 = it has none, or was loaded.
  unsigned architecture = 0;
  std::unique_ptr<simt::LoadedModule> module;
  std::string tried = {}, note = {};  // as in ChosenPtx
  bool is_settled = false;            // what PTX is taken, or that none can be

  struct ManagedVariable {
    void** host;  // where the host program keeps the variable's address
    std::string name;
  };
  std::vector<ManagedVariable> managed;
  std::map<std::string, RegisteredKernel, std::less<>> kernels;  // that were asked for by name
};

/// Images, kernels and variables of one process. Host addresses are keys only, their order decides nothing.
class KernelRegistry {
 public:
  /// For a machine with warps of so many threads, that asks this of code.
  KernelRegistry(std::string program_name, simt::DeviceMemory& memory, unsigned warp_size,
                 const simt::CodeOptions& code)
      : program_name_(std::move(program_name)), memory_(memory), warp_size_(warp_size), code_(code) {}

  /// Bytes of a thread's stack of recursive calls; no less than lower::kStackBytes, nor than kernels that are decoded
  /// already have. Throws ApiError(cudaErrorInvalidValue) for more than a thread's local memory can have.
  void set_stack_bytes(std::uint64_t bytes);
  CodeImage& add_image(const void* wrapper);
  /// An image that the program loads by itself, parsed and placed at once. Throws ApiError with the parser's or
  /// loader's message if it cannot be simulated.
  CodeImage& load_image(std::string_view ptx);
  /// Null if that is none, or none any more.
  CodeImage* find_image(const void* handle);
  /// The highest architecture that the registered images' PTX is for, but the lowest that was taken in the place of
  /// another one, so that programs find the kernels for what the device says it is; 0 if there is none. Loads images
  /// with PTX for several.
  unsigned architecture();
  /// What the user is to know of images that were loaded since the last question: ChosenPtx::note.
  std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }
  /// Forgets the image, its kernels and its variables.
  void remove_image(const CodeImage& image);
  void add_kernel(CodeImage& image, const void* host, std::string name);
  void add_variable(CodeImage& image, const void* host, std::string name);
  void add_managed_variable(CodeImage& image, void** host, std::string name);
  /// Loads the image and gives the host program the addresses of its managed variables, which must be valid in both.
  void place_managed_variables(CodeImage& image);
  /// Whether a variable at this device address is one, of an image that was loaded.
  bool is_managed_variable(std::uint64_t address) const;
  std::vector<simt::DeviceMemory::Range> managed_variables() const;

  /// By the address under which it was registered, or by its handle: the pointer that this gives. Null if there is
  /// none.
  RegisteredKernel* find_kernel(const void* host);
  /// By the name of the entry, registered or not; loads the image. Null if there is none of that name.
  RegisteredKernel* kernel_of(CodeImage& image, std::string_view name);

  /// Loads the image if needed. Throws ApiError with the parser's or loader's message if it cannot be simulated.
  const simt::Program& program(const RegisteredKernel& kernel);
  /// Likewise, for blocks of so many threads (simt::LoadedModule::kernel()).
  const simt::Program& program(const RegisteredKernel& kernel, unsigned block_threads);
  /// Device address and size of a registered variable; loads its image. Throws ApiError(cudaErrorInvalidSymbol).
  simt::LoadedModule::Symbol symbol(const void* host);
  /// By the variable's name; loads the image. Null if there is none of that name.
  const simt::LoadedModule::Symbol* variable_of(CodeImage& image, std::string_view name);

 private:
  struct RegisteredVariable {
    CodeImage* image;
    std::string name;
  };
  /// What a variable was registered by.
  const void* key_of(const void* host) const;
  /// Chooses the image's PTX if it has several.
  void settle(CodeImage& image);
  simt::LoadedModule& load(CodeImage& image);
  /// Throws Error.
  std::unique_ptr<simt::LoadedModule> placed(const std::string& name, std::string_view ptx);

  std::string program_name_;
  simt::DeviceMemory& memory_;
  unsigned warp_size_;
  simt::CodeOptions code_;
  unsigned image_count_ = 0, loaded_count_ = 0;
  std::list<CodeImage> images_;
  std::vector<std::string> notes_;
  std::map<const void*, RegisteredKernel> kernels_;
  std::map<const void*, RegisteredVariable> variables_;
};

}  // namespace warpfork::cuda
