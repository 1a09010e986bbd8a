#include "cuda/image/elf_section.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace warpfork::cuda {
namespace elf_section_test {

/// Header, the texts "wanted" and of the sections' names, and three sections: none, `wanted` and the names.
std::vector<std::byte> sample() {
  const std::string names("\0.wanted\0.names\0", 16), text = "wanted";
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shoff = sizeof header + text.size() + names.size();
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  Elf64_Shdr sections[3]{};
  const auto set = [&](Elf64_Shdr& section, Elf64_Word name, std::size_t offset, std::size_t size) {
    section.sh_name = name;
    section.sh_offset = sizeof header + offset;
    section.sh_size = size;
  };
  set(sections[1], 1, 0, text.size());
  set(sections[2], 9, text.size(), names.size());
  std::vector<std::byte> file(header.e_shoff + sizeof sections);
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, text.data(), text.size());
  std::memcpy(file.data() + sizeof header + text.size(), names.data(), names.size());
  std::memcpy(file.data() + header.e_shoff, sections, sizeof sections);
  return file;
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(ElfSection, is_found_by_its_whole_name) {
  const std::vector<std::byte> file = sample();
  EXPECT_EQ(text_of(elf_section(file, ".wanted")), "wanted");
  EXPECT_TRUE(elf_section(file, ".want").empty());
  EXPECT_TRUE(elf_section(file, ".wanted too").empty());
}

TEST(ElfSection, is_in_no_other_file) {
  const std::string text = "no ELF file, but as long as the header of one, sixty-four bytes and more";
  EXPECT_TRUE(elf_section(std::as_bytes(std::span(text)), ".wanted").empty());
  EXPECT_TRUE(elf_section({}, ".wanted").empty());
  std::vector<std::byte> narrow = sample();
  narrow[EI_CLASS] = std::byte{ELFCLASS32};
  EXPECT_TRUE(elf_section(narrow, ".wanted").empty());
}

TEST(ElfSection, of_a_damaged_file_is_none_or_within_it) {
  const std::vector<std::byte> whole = sample();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(elf_section(std::span(whole).first(size), ".names").empty()) << size;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::byte> damaged = whole;
    damaged[at] = std::byte{0xff};
    const std::span<const std::byte> found = elf_section(damaged, ".wanted");
    if (found.empty()) continue;
    EXPECT_GE(found.data(), damaged.data());
    EXPECT_LE(found.data() + found.size(), damaged.data() + damaged.size());
  }
}

}  // namespace elf_section_test
}  // namespace warpfork::cuda
