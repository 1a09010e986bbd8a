// A section of a 64-bit ELF file in memory, by its name (System V ABI, "Object Files", "Sections").
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace warpfork::cuda {

/// A view into the file. Empty if the file is no such ELF file, is damaged or has no section of that name.
std::span<const std::byte> elf_section(std::span<const std::byte> file, std::string_view name);

}  // namespace warpfork::cuda
