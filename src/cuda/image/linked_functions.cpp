#include "cuda/image/linked_functions.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "cuda/image/elf_section.h"

namespace warpfork::cuda {

namespace {

std::vector<Elf64_Sym> symbols_in(std::span<const std::byte> section) {
  std::vector<Elf64_Sym> symbols(section.size() / sizeof(Elf64_Sym));
  if (!symbols.empty()) std::memcpy(symbols.data(), section.data(), symbols.size() * sizeof(Elf64_Sym));
  return symbols;
}

}  // namespace

bool LinkedFunctions::have(std::string_view name) const {
  return std::ranges::any_of(of_runtime, [&](const Function& function) { return function.name == name; });
}

std::string_view LinkedFunctions::release() const {
  if (have("cudaGetDeviceProperties_v2")) return "12";
  return have("cudaBindTexture") ? "11.0" : "13";
}

LinkedFunctions linked_functions(std::span<const std::byte> file) {
  const std::span<const std::byte> names = elf_section(file, ".strtab");
  LinkedFunctions found;
  for (const Elf64_Sym& symbol : symbols_in(elf_section(file, ".symtab"))) {
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

}  // namespace warpfork::cuda
