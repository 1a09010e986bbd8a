#include "cuda/image/elf_section.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>

namespace warpfork::cuda {

namespace {

std::span<const std::byte> part(std::span<const std::byte> file, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > file.size() || bytes > file.size() - offset) return {};
  return file.subspan(offset, bytes);
}

template <typename Record>
std::optional<Record> record(std::span<const std::byte> file, std::uint64_t offset) {
  const std::span<const std::byte> bytes = part(file, offset, sizeof(Record));
  if (bytes.empty()) return std::nullopt;
  Record read;
  std::memcpy(&read, bytes.data(), sizeof read);
  return read;
}

}  // namespace

std::span<const std::byte> elf_section(std::span<const std::byte> file, std::string_view name) {
  const auto header = record<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const auto section = [&](std::uint64_t index) {
    return record<Elf64_Shdr>(file, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto names_header = section(header->e_shstrndx);
  if (!names_header) return {};
  const std::span<const std::byte> names = part(file, names_header->sh_offset, names_header->sh_size);
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto found = section(i);
    if (!found) return {};
    const std::span<const std::byte> here = part(names, found->sh_name, name.size() + 1);
    if (!here.empty() && std::memcmp(here.data(), name.data(), name.size()) == 0 && here.back() == std::byte{0})
      return part(file, found->sh_offset, found->sh_size);
  }
  return {};
}

}  // namespace warpfork::cuda
