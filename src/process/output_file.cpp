#include "process/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

#include "base/error.h"

namespace warpfork::process {

namespace {

namespace fs = std::filesystem;

bool is_special(const std::string& file) { return fs::exists(file) && !fs::is_regular_file(file); }

/// A link stays one: the file behind it is what is written.
std::string followed(const std::string& file) {
  return fs::is_symlink(file) ? fs::weakly_canonical(file).string() : file;
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Error("{}: cannot be written: {}", file, why);
}

/// Of a file that need not exist.
bool is_same(const std::string& one, const std::string& other) {
  std::error_code ignored;  // of a name that is none: it is refused where it is opened
  return fs::equivalent(one, other, ignored) ||
         fs::weakly_canonical(fs::absolute(one), ignored) == fs::weakly_canonical(fs::absolute(other), ignored);
}

/// Its bytes are on the disk: a system that fails after the file has its `name` leaves no torn one.
void synchronise(const std::string& file, const std::string& name) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool written = descriptor >= 0 && fsync(descriptor) == 0;
  const int failure = errno;
  if (descriptor >= 0) close(descriptor);
  if (!written) refuse(name, std::strerror(failure));
}

}  // namespace

void require_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  if (fs::is_directory(file)) refuse(file, "it is a folder");
  if (fs::exists(file) && access(file.c_str(), W_OK) != 0) refuse(file, std::strerror(errno));
  if (is_special(file)) return;
  const fs::path folder = fs::absolute(followed(file)).parent_path();
  if (!fs::is_directory(folder)) refuse(file, fmt::format("there is no folder {}", folder.string()));
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    refuse(file, fmt::format("{}: {}", folder.string(), std::strerror(errno)));
}

void require_apart(const std::vector<std::string>& written, const std::vector<std::string>& read) {
  for (auto file = written.begin(); file != written.end(); ++file) {
    if (file->empty() || *file == "-" || is_special(*file)) continue;
    const auto is_it = [&](const std::string& other) { return !other.empty() && is_same(*file, other); };
    if (std::any_of(read.begin(), read.end(), is_it))
      throw Error("{}: would be overwritten, and is what the command reads\n  give what is written another name",
                  *file);
    if (std::any_of(written.begin(), file, is_it))
      throw Error("{}: is to be written twice\n  give what is written there a file each", *file);
  }
}

OutputFile::OutputFile(const std::string& name) : name_(followed(name)), path_(name_) {
  require_writable(name);
  // Its own, whichever of several machines with the same file system it is: a process's number would not do.
  if (!is_special(name)) path_ += fmt::format(".{:08x}{:08x}.part", std::random_device()(), std::random_device()());
}

OutputFile::~OutputFile() {
  std::error_code ignored;
  if (path_ != name_) fs::remove(path_, ignored);
}

void OutputFile::keep() {
  if (path_ == name_) return;
  synchronise(path_, name_);
  std::error_code failure;
  fs::rename(path_, name_, failure);
  if (failure) refuse(name_, failure.message());
  path_ = name_;
}

void write_text(const std::string& file, const std::string& text) {
  if (file == "-") {
    std::cout << text;  // main() sees whether it could be written
    return;
  }
  OutputFile output(file);
  std::ofstream stream(output.path(), std::ios::binary);
  stream << text << std::flush;
  if (!stream) refuse(file, std::strerror(errno));
  output.keep();
}

}  // namespace warpfork::process
