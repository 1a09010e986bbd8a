#include "cuda/library/linked_runtime.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/error.h"
#include "config/text_file.h"
#include "cuda/image/linked_functions.h"

namespace warpfork::cuda {

namespace {

constexpr const char* kProgram = "/proc/self/exe";

/// jmp *(%rip), and behind it the address to which it jumps (Intel SDM, volume 2, "JMP").
using Jump = std::array<std::byte, 14>;
Jump jump_to(const void* function) {
  Jump jump{std::byte{0xff}, std::byte{0x25}};
  std::memcpy(jump.data() + 6, &function, sizeof function);
  return jump;
}

/// Where a program or library lies: what the loader added to its addresses, and its code, in pages.
struct Place {
  std::uint64_t bias = 0, begin = 0, end = 0;
};

/// What dl_iterate_phdr() goes through in search of a place.
struct Search {
  std::optional<std::uint64_t> bias;  // none: the program, which comes first
  Place found;
};

int look_at(dl_phdr_info* info, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  if (search.bias && info->dlpi_addr != *search.bias) return 0;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  search.found.bias = info->dlpi_addr;
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    search.found.begin = (info->dlpi_addr + segment.p_vaddr) / page * page;
    search.found.end = (info->dlpi_addr + segment.p_vaddr + segment.p_memsz + page - 1) / page * page;
  }
  return 1;
}

Place place_of(std::optional<std::uint64_t> bias) {
  Search search{bias, {}};
  dl_iterate_phdr(look_at, &search);
  return search.found;
}

void* own_library() {
  Dl_info info;
  void* const here = reinterpret_cast<void*>(&replace_linked_runtime);
  return dladdr(here, &info) != 0 ? dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY) : nullptr;
}

void protect(const Place& place, int protection) {
  void* const begin = reinterpret_cast<void*>(place.begin);
  if (mprotect(begin, place.end - place.begin, protection) != 0)
    throw Error("its code cannot be changed: {}", std::strerror(errno));
}

void replace(const char* file, std::optional<std::uint64_t> bias) {
  const std::string text = config::read_text(file);
  const LinkedFunctions functions = linked_functions(std::as_bytes(std::span(text)));
  if (functions.of_runtime.empty()) return;  // a program that the program has started
  const Place place = place_of(bias);
  std::map<std::uint64_t, const void*> replaced;
  void* const library = own_library();
  check(library != nullptr, [] { return "a library finds itself"; });
  protect(place, PROT_READ | PROT_WRITE | PROT_EXEC);
  for (const LinkedFunctions::Function& function : functions.of_runtime) {
    const void* const ours = dlsym(library, function.name.c_str());
    if (ours == nullptr) continue;
    const Jump jump = jump_to(ours);
    if (const auto [at, is_new] = replaced.emplace(function.address, ours); !is_new && at->second != ours)
      throw Error("{} lies where another function does", function.name);
    const auto next = functions.starts.upper_bound(function.address);
    if (next != functions.starts.end() && *next - function.address < jump.size())
      throw Error("there is no room for a jump in {}", function.name);
    std::memcpy(reinterpret_cast<void*>(place.bias + function.address), jump.data(), jump.size());
  }
  protect(place, PROT_READ | PROT_EXEC);
}

void replace_or_end(const char* file, std::optional<std::uint64_t> bias, const char* name) {
  try {
    replace(file, bias);
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "warpfork: the CUDA runtime that is linked into %s cannot be replaced: %s\n"
                 "  rebuild it with nvcc -cudart shared\n",
                 name, message_of(error));
    std::_Exit(EXIT_FAILURE);
  }
}

}  // namespace

void replace_linked_runtime() {
  if (std::getenv(kLinkedRuntimeVariable) != nullptr) replace_or_end(kProgram, {}, "this program");
}

void WARPFORK_REPLACE_LINKED_RUNTIME(const char* file, std::uint64_t bias) { replace_or_end(file, bias, file); }

}  // namespace warpfork::cuda
