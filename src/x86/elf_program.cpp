#include "x86/elf_program.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "base/error.h"
#include "x86/elf_file.h"

namespace warpfork::x86 {

namespace {

constexpr const char* kBuild = "\n  build it with: gcc -static -no-pie -fcf-protection=none, with -pthread or -fopenmp";

bool has_segment(Elf* elf, unsigned type) {
  std::size_t count = 0;
  elf_getphdrnum(elf, &count);
  for (std::size_t number = 0; number < count; ++number) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(number), &segment) && segment.p_type == type) return true;
  }
  return false;
}

void require_recordable(Elf* elf, const std::string& path) {
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr)
    throw Error("{}: is no executable (ELF) file{}", path, kBuild);
  if (header.e_machine == EM_386 || gelf_getclass(elf) == ELFCLASS32)
    throw Error("{}: is a 32-bit program; x86-64 programs are recorded\n  build it without -m32", path);
  if (header.e_machine != EM_X86_64) throw Error("{}: is a program for another processor than x86-64", path);
  if (has_segment(elf, PT_INTERP))
    throw Error("{}: is linked dynamically, so that its barriers and locks cannot be found{}", path, kBuild);
  if (header.e_type == ET_DYN)
    throw Error("{}: is position-independent, so that its symbols' addresses are not known{}", path, kBuild);
  if (header.e_type != ET_EXEC) throw Error("{}: is no program, but an object file or a core dump", path);
}

void read_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, std::vector<Symbol>& symbols) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (std::size_t number = 0; number < header.sh_size / header.sh_entsize; ++number) {
    GElf_Sym entry;
    if (gelf_getsym(data, static_cast<int>(number), &entry) == nullptr || entry.st_shndx == SHN_UNDEF) continue;
    const unsigned type = GELF_ST_TYPE(entry.st_info);
    const bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
    const char* const name = elf_strptr(elf, header.sh_link, entry.st_name);
    if (name && *name && (is_function || type == STT_OBJECT))
      symbols.push_back({entry.st_value, entry.st_size, is_function, name});
  }
}

SymbolTable read_symbols(Elf* elf, const std::string& path) {
  std::vector<Symbol> symbols;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB) read_symbols(elf, section, header, symbols);
  }
  if (symbols.empty())
    throw Error(
        "{}: has no symbols of functions, so that its barriers and locks cannot be found\n"
        "  link it without -s; do not strip it; in assembly, .type NAME, @function",
        path);
  return SymbolTable(std::move(symbols));
}

/// Collects the line tables of all compilation units.
class LineCollector {
 public:
  void add(Dwarf_Die& unit) {
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(&unit, &lines, &count) != 0) return;
    for (std::size_t number = 0; number < count; ++number) add(dwarf_onesrcline(lines, number));
  }

  LineTable take() {
    // Where a unit's lines end another's may begin: then the end says nothing.
    std::stable_sort(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.address, a.line != 0) < std::pair(b.address, b.line != 0);
    });
    return {std::move(files_), std::move(entries_)};
  }

 private:
  void add(Dwarf_Line* line) {
    Dwarf_Addr address = 0;
    int number = 0;
    bool is_end = false;
    const char* const file = dwarf_linesrc(line, nullptr, nullptr);
    if (!file || dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &number) != 0) return;
    dwarf_lineendsequence(line, &is_end);
    const auto [known, is_new] = numbers_.emplace(file, static_cast<std::uint32_t>(files_.size()));
    if (is_new) files_.push_back(file);
    entries_.push_back({address, known->second, is_end ? 0 : static_cast<std::uint32_t>(number)});
  }

  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> files_;
  std::vector<LineTable::Entry> entries_;
};

LineTable read_lines(Elf* elf) {
  Dwarf* const dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
  if (dwarf == nullptr) return {};
  const std::unique_ptr<Dwarf, decltype(&dwarf_end)> owner(dwarf, dwarf_end);
  LineCollector collector;
  Dwarf_Off offset = 0, next = 0;
  for (std::size_t header = 0; dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0;
       offset = next) {
    Dwarf_Die unit;
    if (dwarf_offdie(dwarf, offset + header, &unit)) collector.add(unit);
  }
  return collector.take();
}

}  // namespace

ElfProgram read_elf_program(const std::string& path) {
  const ElfFile file(path);
  require_recordable(file.elf(), path);
  return {read_symbols(file.elf(), path), read_lines(file.elf())};
}

}  // namespace warpfork::x86
