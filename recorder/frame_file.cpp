// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace recorder {

FrameFile::~FrameFile() { close(); }

bool FrameFile::open(const std::string& path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) return false;
  end_ = static_cast<std::uint64_t>(lseek(file_, 0, SEEK_END));
  return true;
}

void FrameFile::close() {
  if (file_ >= 0 && ::close(file_) != 0 && failure_ == 0) failure_ = errno;
  file_ = -1;
}

void FrameFile::discard() {
  if (file_ >= 0 && ftruncate(file_, 0) != 0 && failure_ == 0) failure_ = errno;
}

void FrameFile::append(const std::vector<std::uint8_t>& bytes) {
  if (file_ < 0 || failure_ != 0) return;
  const std::uint64_t begin = end_.fetch_add(bytes.size());
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = pwrite(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(begin + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      failure_ = count < 0 ? errno : ENOSPC;
      return;
    }
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace recorder
