// libcuda.so.1: the names of the driver API. Its functions lie in our libcudart.so, so that both see one runtime: of
// the libraries for the releases that one which the process has loaded when it first calls the driver, else the last.
// Nothing else of the project is linked here.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using Function = void (*)();
using Lookup = Function (*)(const char* name);

constexpr const char* kLibraries[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"};

/// NVIDIA's of the same name has none.
Lookup lookup_of(void* library) {
  return library != nullptr ? reinterpret_cast<Lookup>(dlsym(library, "__cudaDriverFunction")) : nullptr;
}

Lookup find_lookup() {
  for (const char* library : kLibraries)
    if (const Lookup lookup = lookup_of(dlopen(library, RTLD_LAZY | RTLD_NOLOAD))) return lookup;
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&lookup_of), &here) == 0) return nullptr;
  const std::string own = here.dli_fname;
  return lookup_of(dlopen((own.substr(0, own.rfind('/') + 1) + kLibraries[0]).c_str(), RTLD_LAZY));
}

}  // namespace

/// Called by what stands below the first time that a function is called. A program whose driver is not whole cannot go
/// on.
extern "C" __attribute__((visibility("hidden"))) Function find_driver_function(const char* name) {
  static const Lookup lookup = find_lookup();
  const Function function = lookup != nullptr ? lookup(name) : nullptr;
  if (function != nullptr) return function;
  std::fprintf(stderr, "warpfork: libcuda.so.1 has no libcudart.so of its release beside it\n");
  std::abort();
}

// Each function jumps to where its slot says: at first to the way to find_driver_function(), which may change what a
// call passes in registers (System V ABI, x86-64, "Parameter Passing"; none of the driver's passes any in vector
// registers), and leaves the stack as the function must find it. r10 and r11 are nobody's between functions.
asm(R"(
  .text
  .type warpfork_find_and_jump, @function
warpfork_find_and_jump:
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  push %r11
  mov %r10, %rdi
  call find_driver_function
  pop %r11
  pop %r9
  pop %r8
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  mov %rax, (%r11)
  jmp *%rax
  .size warpfork_find_and_jump, . - warpfork_find_and_jump
)");

#define DRIVER_FUNCTION(name)                               \
  asm("  .text\n"                                           \
      "  .globl " #name                                     \
      "\n"                                                  \
      "  .type " #name ", @function\n" #name                \
      ":\n"                                                 \
      "  jmp *warpfork_slot_" #name                         \
      "(%rip)\n"                                            \
      "warpfork_find_" #name                                \
      ":\n"                                                 \
      "  lea warpfork_name_" #name                          \
      "(%rip), %r10\n"                                      \
      "  lea warpfork_slot_" #name                          \
      "(%rip), %r11\n"                                      \
      "  jmp warpfork_find_and_jump\n"                      \
      "  .size " #name ", . - " #name                       \
      "\n"                                                  \
      "  .section .rodata\n"                                \
      "warpfork_name_" #name ": .asciz \"" #name            \
      "\"\n"                                                \
      "  .data\n"                                           \
      "  .balign 8\n"                                       \
      "warpfork_slot_" #name ": .quad warpfork_find_" #name \
      "\n"                                                  \
      "  .text\n");

#define DRIVER_CALL(name, since) DRIVER_FUNCTION(name)
#define PER_THREAD(name, call) DRIVER_FUNCTION(name)
#define UNSUPPORTED(name, since) DRIVER_FUNCTION(name)
#include "cuda/driver/driver_calls.def"
#include "cuda/driver/unsupported_calls.def"
