#include "x86/elf_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace warpfork::x86 {

ElfFile::ElfFile(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) throw Error("{}: cannot be read: {}", path, std::strerror(errno));
  elf_version(EV_CURRENT);
  elf_ = elf_begin(file_, ELF_C_READ_MMAP, nullptr);
}

ElfFile::~ElfFile() {
  elf_end(elf_);
  close(file_);
}

}  // namespace warpfork::x86
