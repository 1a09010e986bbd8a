#include "cuda/image/runtime_linkage.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace warpfork::cuda {

namespace {

constexpr std::string_view kDeviceCode = ".nv_fatbin";                 // nvcc and clang both name it so
constexpr std::string_view kRegistration = "__cudaRegisterFatBinary";  // every program with kernels calls it
constexpr std::string_view kRuntimeLibrary = "libcudart.so";           // before the version
constexpr std::uint64_t kMaxTableBytes = std::uint64_t{64} << 20;      // of symbols or names; a real one is smaller

/// The parts of a 64-bit little-endian ELF file that linking is about; empty tables where the file ends too early.
class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& path) : file_(path, std::ios::binary) {
    const auto header = table<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr));
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
        header[0].e_ident[EI_CLASS] != ELFCLASS64 || header[0].e_ident[EI_DATA] != ELFDATA2LSB ||
        header[0].e_shentsize != sizeof(Elf64_Shdr))
      return;
    sections_ = table<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum * sizeof(Elf64_Shdr));
    names_ = text_of(header[0].e_shstrndx);
  }

  bool has_section(std::string_view name) const {
    return std::any_of(sections_.begin(), sections_.end(),
                       [&](const Elf64_Shdr& section) { return word(names_, section.sh_name) == name; });
  }

  /// True if the loader must find the symbol in a shared library.
  bool needs_symbol(std::string_view name) {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_DYNSYM) continue;
      const std::string names = text_of(section.sh_link);
      for (const Elf64_Sym& symbol : table<Elf64_Sym>(section.sh_offset, section.sh_size))
        if (symbol.st_shndx == SHN_UNDEF && word(names, symbol.st_name) == name) return true;
    }
    return false;
  }

  /// True if the loader must load a library whose name begins so.
  bool needs_library(std::string_view prefix) {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_DYNAMIC) continue;
      const std::string names = text_of(section.sh_link);
      for (const Elf64_Dyn& entry : table<Elf64_Dyn>(section.sh_offset, section.sh_size))
        if (entry.d_tag == DT_NEEDED && word(names, entry.d_un.d_val).starts_with(prefix)) return true;
    }
    return false;
  }

 private:
  template <typename Record>
  std::vector<Record> table(std::uint64_t offset, std::uint64_t bytes) {
    if (bytes > kMaxTableBytes) return {};
    std::vector<Record> records(bytes / sizeof(Record));
    const auto length = static_cast<std::streamsize>(records.size() * sizeof(Record));
    file_.clear();
    if (!file_.seekg(static_cast<std::streamoff>(offset)) ||
        !file_.read(reinterpret_cast<char*>(records.data()), length))
      return {};
    return records;
  }

  std::string text_of(std::size_t section) {
    if (section >= sections_.size()) return {};
    const auto bytes = table<char>(sections_[section].sh_offset, sections_[section].sh_size);
    return {bytes.begin(), bytes.end()};
  }

  static std::string_view word(const std::string& names, std::uint64_t at) {
    return at < names.size() ? std::string_view(names.c_str() + at) : std::string_view();
  }

  std::ifstream file_;
  std::vector<Elf64_Shdr> sections_;
  std::string names_;  // of the sections
};

}  // namespace

RuntimeLinkage runtime_linkage(const std::filesystem::path& executable) {
  ElfFile file(executable);
  if (!file.has_section(kDeviceCode)) return RuntimeLinkage::None;
  // nvcc leaves device code, an empty one, in programs without kernels too: those register nothing
  const bool shared = file.needs_library(kRuntimeLibrary) || file.needs_symbol(kRegistration);
  return shared ? RuntimeLinkage::Shared : RuntimeLinkage::Static;
}

}  // namespace warpfork::cuda
