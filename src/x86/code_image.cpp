#include "x86/code_image.h"

#include <gelf.h>

#include <algorithm>

#include "base/error.h"
#include "x86/decoder.h"
#include "x86/elf_file.h"
#include "x86/elf_program.h"

namespace warpfork::x86 {

namespace {

std::vector<CodeSection> code_of(Elf* elf, const std::string& path) {
  std::vector<CodeSection> sections;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS) continue;
    if ((header.sh_flags & SHF_EXECINSTR) == 0) continue;
    const Elf_Data* const data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_size > ~header.sh_addr) throw Error("{}: is damaged: {}", path, elf_errmsg(-1));
    const auto* const bytes = static_cast<const std::uint8_t*>(data->d_buf);
    sections.push_back({header.sh_addr, {bytes, bytes + data->d_size}});
  }
  return sections;
}

}  // namespace

CodeImage::CodeImage(const std::string& path) : symbols_(read_elf_program(path).symbols) {
  sections_ = code_of(ElfFile(path).elf(), path);
  for (const Symbol& symbol : symbols_.all())
    if (symbol.is_function) functions_.push_back(symbol.address);
}

void CodeImage::sweep(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
  for (const CodeSection& section : sections_)
    sweep_section(section, std::max(begin, section.address), std::min(end, section.end()), visit);
}

void CodeImage::sweep_section(const CodeSection& section, std::uint64_t begin, std::uint64_t end,
                              const Visit& visit) const {
  for (std::uint64_t pc = begin; pc < end;) {
    const auto next = std::ranges::upper_bound(functions_, pc);
    const std::uint64_t limit = next == functions_.end() ? section.end() : std::min(section.end(), *next);
    const auto rest = std::span(section.bytes).subspan(pc - section.address, limit - pc);
    const std::size_t length = instruction_length(rest);
    visit(pc, rest.first(std::max<std::size_t>(length, 1)), length != 0);
    pc += std::max<std::size_t>(length, 1);
  }
}

}  // namespace warpfork::x86
