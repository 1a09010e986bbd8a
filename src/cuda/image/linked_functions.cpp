#include "cuda/image/linked_functions.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "cuda/image/elf_section.h"

namespace warpfork::cuda {

namespace {

/// visit(symbol, name) for each of the symbol table.
template <typename Visit>
void for_each_symbol(std::span<const std::byte> file, Visit&& visit) {
  const std::span<const std::byte> section = elf_section(file, ".symtab"), names = elf_section(file, ".strtab");
  std::vector<Elf64_Sym> symbols(section.size() / sizeof(Elf64_Sym));
  if (!symbols.empty()) std::memcpy(symbols.data(), section.data(), symbols.size() * sizeof(Elf64_Sym));
  for (const Elf64_Sym& symbol : symbols) {
    if (symbol.st_name >= names.size()) continue;
    const auto* const text = reinterpret_cast<const char*>(names.data()) + symbol.st_name;
    visit(symbol, std::string_view(text, strnlen(text, names.size() - symbol.st_name)));
  }
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
  LinkedFunctions found;
  for_each_symbol(file, [&](const Elf64_Sym& symbol, std::string_view name) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) return;
    found.starts.insert(symbol.st_value);
    if (name.starts_with("cuda") || name.starts_with("__cuda"))
      found.of_runtime.push_back({std::string(name), symbol.st_value});
  });
  return found;
}

std::set<std::string> undefined_symbols(std::span<const std::byte> file, std::string_view prefix) {
  std::set<std::string> found;
  for_each_symbol(file, [&](const Elf64_Sym& symbol, std::string_view name) {
    if (symbol.st_shndx == SHN_UNDEF && name.starts_with(prefix)) found.emplace(name);
  });
  return found;
}

}  // namespace warpfork::cuda
