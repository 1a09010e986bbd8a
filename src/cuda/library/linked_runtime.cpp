#include "cuda/library/linked_runtime.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/text_file.h"
#include "cuda/image/elf_section.h"

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

struct Function {
  std::string name;
  std::uint64_t address;  // as linked
};

std::vector<Elf64_Sym> symbols(std::span<const std::byte> section) {
  std::vector<Elf64_Sym> symbols(section.size() / sizeof(Elf64_Sym));
  if (!symbols.empty()) std::memcpy(symbols.data(), section.data(), symbols.size() * sizeof(Elf64_Sym));
  return symbols;
}

/// What the program has of the runtime, and where its functions begin.
struct Symbols {
  std::vector<Function> of_runtime;
  std::set<std::uint64_t> starts;
};

Symbols program_symbols() {
  const std::string file = config::read_text(kProgram);
  const auto bytes = std::as_bytes(std::span(file));
  const std::span<const std::byte> names = elf_section(bytes, ".strtab");
  Symbols found;
  for (const Elf64_Sym& symbol : symbols(elf_section(bytes, ".symtab"))) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.size())
      continue;
    found.starts.insert(symbol.st_value);
    const auto* const text = reinterpret_cast<const char*>(names.data()) + symbol.st_name;
    const std::string_view name(text, strnlen(text, names.size() - symbol.st_name));
    if (name.starts_with("cuda") || name.starts_with("__cuda"))
      found.of_runtime.push_back({std::string(name), symbol.st_value});
  }
  return found;
}

/// Where the program lies: what the loader added to its addresses, and its code, in pages.
struct Place {
  std::uint64_t bias = 0, begin = 0, end = 0;
};

Place program_place() {
  Place place;
  const auto first = [](dl_phdr_info* info, std::size_t, void* to) {
    Place& found = *static_cast<Place*>(to);
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    found.bias = info->dlpi_addr;
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = info->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
      found.begin = (found.bias + segment.p_vaddr) / page * page;
      found.end = (found.bias + segment.p_vaddr + segment.p_memsz + page - 1) / page * page;
    }
    return 1;  // the program comes first
  };
  dl_iterate_phdr(first, &place);
  return place;
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

void replace() {
  const Symbols program = program_symbols();
  if (program.of_runtime.empty()) return;  // one that the program has started
  const Place place = program_place();
  std::map<std::uint64_t, const void*> replaced;
  void* const library = own_library();
  check(library != nullptr, [] { return "a library finds itself"; });
  protect(place, PROT_READ | PROT_WRITE | PROT_EXEC);
  for (const Function& function : program.of_runtime) {
    const void* const ours = dlsym(library, function.name.c_str());
    if (ours == nullptr) continue;
    const Jump jump = jump_to(ours);
    if (const auto [at, is_new] = replaced.emplace(function.address, ours); !is_new && at->second != ours)
      throw Error("{} lies where another function does", function.name);
    const auto next = program.starts.upper_bound(function.address);
    if (next != program.starts.end() && *next - function.address < jump.size())
      throw Error("there is no room for a jump in {}", function.name);
    std::memcpy(reinterpret_cast<void*>(place.bias + function.address), jump.data(), jump.size());
  }
  protect(place, PROT_READ | PROT_EXEC);
}

}  // namespace

void replace_linked_runtime() {
  if (std::getenv(kLinkedRuntimeVariable) == nullptr) return;
  try {
    replace();
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "warpfork: the CUDA runtime that is linked into this program cannot be replaced: %s\n"
                 "  rebuild it with nvcc -cudart shared\n",
                 message_of(error).c_str());
    std::_Exit(EXIT_FAILURE);
  }
}

}  // namespace warpfork::cuda
