#include "process/runtime_linkage.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <functional>
#include <span>
#include <string_view>

#include "config/text_file.h"
#include "cuda/image/linked_functions.h"

namespace warpfork::process {

namespace {

constexpr std::string_view kDeviceCode = ".nv_fatbin";                 // nvcc and clang both name it so
constexpr std::string_view kRegistration = "__cudaRegisterFatBinary";  // every program with kernels calls it
constexpr std::string_view kLoader = ".interp";                        // whose name is there
constexpr std::string_view kRuntimeLibrary = "libcudart.so";           // before the version
constexpr std::string_view kDriverLibrary = "libcuda.so";  // likewise; a runtime in a program loads it itself

/// The parts of an ELF file that linking is about; nothing of what is none, or where it ends too early.
class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (file_ >= 0) elf_ = elf_begin(file_, ELF_C_READ, nullptr);
  }
  ~ElfFile() {
    elf_end(elf_);
    if (file_ >= 0) close(file_);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  bool has_section(std::string_view name) const {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf_, &names) != 0) return false;
    return any_section([&](Elf_Scn*, const GElf_Shdr& header) { return text(names, header.sh_name) == name; });
  }

  /// True if the loader must find the symbol in a shared library.
  bool needs_symbol(std::string_view name) const {
    return any_symbol(SHT_DYNSYM, name, [](const GElf_Sym& symbol) { return symbol.st_shndx == SHN_UNDEF; });
  }

  /// True if it says where it has such a function.
  bool has_function(std::string_view name) const {
    return any_symbol(SHT_SYMTAB, name, [](const GElf_Sym& symbol) {
      return symbol.st_shndx != SHN_UNDEF && GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
    });
  }

  /// True if the loader must load a library whose name begins so.
  bool needs_library(std::string_view prefix) const {
    return any_entry(SHT_DYNAMIC, [&](Elf_Data* data, int index, std::size_t names) {
      GElf_Dyn entry;
      return gelf_getdyn(data, index, &entry) != nullptr && entry.d_tag == DT_NEEDED &&
             text(names, entry.d_un.d_val).starts_with(prefix);
    });
  }

 private:
  bool any_section(const std::function<bool(Elf_Scn*, const GElf_Shdr&)>& holds) const {
    GElf_Shdr header;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;)
      if (gelf_getshdr(section, &header) != nullptr && holds(section, header)) return true;
    return false;
  }

  bool any_symbol(std::uint32_t table, std::string_view name, const std::function<bool(const GElf_Sym&)>& holds) const {
    return any_entry(table, [&](Elf_Data* data, int index, std::size_t names) {
      GElf_Sym symbol;
      return gelf_getsym(data, index, &symbol) != nullptr && holds(symbol) && text(names, symbol.st_name) == name;
    });
  }

  /// Of the sections of this type; `holds` gets the section of their names as well.
  bool any_entry(std::uint32_t type, const std::function<bool(Elf_Data*, int, std::size_t)>& holds) const {
    return any_section([&](Elf_Scn* section, const GElf_Shdr& header) {
      Elf_Data* const data = header.sh_type == type ? elf_getdata(section, nullptr) : nullptr;
      if (data == nullptr || header.sh_entsize == 0) return false;
      for (std::uint64_t index = 0; index < header.sh_size / header.sh_entsize; ++index)
        if (holds(data, static_cast<int>(index), header.sh_link)) return true;
      return false;
    });
  }

  std::string_view text(std::size_t section, std::size_t offset) const {
    const char* const word = elf_strptr(elf_, section, offset);
    return word != nullptr ? word : "";
  }

  int file_;
  Elf* elf_ = nullptr;
};

}  // namespace

RuntimeLinkage runtime_linkage(const std::filesystem::path& executable) {
  const ElfFile file(executable);
  if (!file.has_section(kDeviceCode)) return RuntimeLinkage::None;
  // nvcc leaves device code, an empty one, in programs without kernels too: those register nothing
  const bool shared = file.needs_library(kRuntimeLibrary) || file.needs_symbol(kRegistration);
  if (shared) return RuntimeLinkage::Shared;
  const bool replaceable = file.has_section(kLoader) && file.has_function(kRegistration);
  if (replaceable) return RuntimeLinkage::Linked;
  return file.needs_library(kDriverLibrary) ? RuntimeLinkage::Shared : RuntimeLinkage::Static;
}

std::string_view linked_release(const std::filesystem::path& executable) {
  const std::string file = config::read_text(executable);
  return cuda::linked_functions(std::as_bytes(std::span(file))).release();
}

}  // namespace warpfork::process
