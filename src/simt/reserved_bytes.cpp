#include "simt/reserved_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace warpfork::simt {

ReservedBytes::ReservedBytes(std::uint64_t bytes, std::uint64_t wanted) : bytes_(bytes) {
  if (bytes == 0) return;
  void* reserved = mmap(reinterpret_cast<void*>(wanted), bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED)
    throw Error("cannot reserve {} bytes of address space for device memory: {}", bytes, std::strerror(errno));
  begin_ = static_cast<std::byte*>(reserved);
}

ReservedBytes::~ReservedBytes() {
  if (begin_) munmap(begin_, bytes_);
}

void ReservedBytes::clear(std::uint64_t offset, std::uint64_t bytes) {
  // Whole pages go back to the host, which gives them again as zeros; only the rest is written.
  const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)), end = offset + bytes;
  const std::uint64_t first = (offset + page - 1) / page * page, last = end / page * page;
  if (first >= last || madvise(begin_ + first, last - first, MADV_DONTNEED) != 0) {
    std::memset(begin_ + offset, 0, bytes);
    return;
  }
  std::memset(begin_ + offset, 0, first - offset);
  std::memset(begin_ + last, 0, end - last);
}

}  // namespace warpfork::simt
