// An ELF file, open.
#pragma once

#include <libelf.h>

#include <string>

namespace warpfork::x86 {

class ElfFile {
 public:
  /// Throws Error if the file cannot be read.
  explicit ElfFile(const std::string& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  /// Nullptr if libelf cannot tell what it is.
  Elf* elf() const { return elf_; }

 private:
  int file_;
  Elf* elf_ = nullptr;
};

}  // namespace warpfork::x86
