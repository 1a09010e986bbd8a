#include "x86/code_image.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/error.h"
#include "x86/decoder.h"

namespace warpfork::x86 {

namespace {

/// Reads records of a file that may be damaged.
class ElfFile {
 public:
  ElfFile(std::span<const std::uint8_t> bytes, std::string_view name) : bytes_(bytes), name_(name) {
    if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) refuse("not an ELF file");
    header_ = at<Elf64_Ehdr>(0);
    if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_machine != EM_X86_64) refuse("not for 64-bit x86-64");
    if (header_.e_type != ET_EXEC && header_.e_type != ET_DYN) refuse("not linked: no executable");
    if (header_.e_shentsize != sizeof(Elf64_Shdr)) refuse("it has no section headers");
  }

  std::vector<Elf64_Shdr> sections() const {
    std::vector<Elf64_Shdr> sections;
    for (unsigned index = 0; index < header_.e_shnum; ++index)
      sections.push_back(at<Elf64_Shdr>(header_.e_shoff + index * sizeof(Elf64_Shdr)));
    return sections;
  }

  std::span<const std::uint8_t> part(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      refuse(fmt::format("cut off: {} bytes at {:#x} lie behind its end", size, offset));
    return bytes_.subspan(offset, size);
  }

  template <typename Record>
  Record at(std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<Record>);
    Record record;
    std::memcpy(&record, part(offset, sizeof record).data(), sizeof record);
    return record;
  }

  std::string text(const Elf64_Shdr& strings, std::uint64_t offset) const {
    const auto all = part(strings.sh_offset, strings.sh_size);
    if (offset >= all.size()) refuse("damaged: a name lies outside of its table");
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(offset);
    return {begin, std::find(begin, all.end(), 0)};
  }

  [[noreturn]] void refuse(std::string_view why) const { throw Error("{}: {}", name_, why); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::string_view name_;
  Elf64_Ehdr header_{};
};

std::vector<CodeSection> code_of(const ElfFile& file) {
  std::vector<CodeSection> sections;
  for (const Elf64_Shdr& header : file.sections()) {
    if (header.sh_type != SHT_PROGBITS || (header.sh_flags & SHF_EXECINSTR) == 0) continue;
    if (header.sh_addr + header.sh_size < header.sh_addr) file.refuse("damaged: a section wraps around");
    const auto bytes = file.part(header.sh_offset, header.sh_size);
    sections.push_back({header.sh_addr, {bytes.begin(), bytes.end()}});
  }
  return sections;
}

std::vector<CodeSymbol> functions_of(const ElfFile& file) {
  std::vector<CodeSymbol> symbols;
  const auto sections = file.sections();
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB) continue;
    if (table.sh_link >= sections.size()) file.refuse("damaged: its symbols have no names");
    for (std::uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= table.sh_size; offset += sizeof(Elf64_Sym)) {
      const auto symbol = file.at<Elf64_Sym>(table.sh_offset + offset);
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      if ((type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_shndx != SHN_UNDEF)
        symbols.push_back({symbol.st_value, symbol.st_size, file.text(sections[table.sh_link], symbol.st_name)});
    }
  }
  return symbols;
}

}  // namespace

CodeImage::CodeImage(std::span<const std::uint8_t> bytes, std::string_view name) {
  const ElfFile file(bytes, name);
  sections_ = code_of(file);
  symbols_ = functions_of(file);
  std::ranges::stable_sort(sections_, {}, &CodeSection::address);
  std::ranges::stable_sort(symbols_, {}, &CodeSymbol::address);
  close_symbols();
}

void CodeImage::close_symbols() {
  for (auto symbol = symbols_.begin(); symbol != symbols_.end(); ++symbol) {
    if (symbol->size != 0) continue;
    std::uint64_t end = symbol->address;
    for (const CodeSection& section : sections_)
      if (symbol->address >= section.address && symbol->address < section.end()) end = section.end();
    const auto next = std::ranges::upper_bound(symbol, symbols_.end(), symbol->address, {}, &CodeSymbol::address);
    if (next != symbols_.end()) end = std::min(end, next->address);
    symbol->size = end - symbol->address;
  }
}

const CodeSymbol* CodeImage::symbol_at(std::uint64_t pc) const {
  const auto behind = std::ranges::upper_bound(symbols_, pc, {}, &CodeSymbol::address);
  if (behind == symbols_.begin()) return nullptr;
  const CodeSymbol& last = *std::prev(behind);
  return pc - last.address < last.size ? &last : nullptr;
}

std::string CodeImage::place(std::uint64_t pc) const {
  const CodeSymbol* const symbol = symbol_at(pc);
  return symbol == nullptr ? "" : fmt::format("{}+{:#x}", symbol->name, pc - symbol->address);
}

void CodeImage::sweep(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
  for (const CodeSection& section : sections_)
    sweep_section(section, std::max(begin, section.address), std::min(end, section.end()), visit);
}

void CodeImage::sweep_section(const CodeSection& section, std::uint64_t begin, std::uint64_t end,
                              const Visit& visit) const {
  for (std::uint64_t pc = begin; pc < end;) {
    const auto next = std::ranges::upper_bound(symbols_, pc, {}, &CodeSymbol::address);
    const std::uint64_t limit = next == symbols_.end() ? section.end() : std::min(section.end(), next->address);
    const auto rest = std::span(section.bytes).subspan(pc - section.address, limit - pc);
    const std::size_t length = instruction_length(rest);
    visit(pc, rest.first(std::max<std::size_t>(length, 1)), length != 0);
    pc += std::max<std::size_t>(length, 1);
  }
}

}  // namespace warpfork::x86
