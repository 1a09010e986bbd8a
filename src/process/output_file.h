// A file that a command writes: whole or not at all.
#pragma once

#include <string>
#include <vector>

namespace warpfork::process {

/// A file that takes its name when it is whole, so that what had the name before stays until then. Where the name
/// stands for something else than an ordinary file (a device, a pipe) there is nothing to keep: it is written directly.
class OutputFile {
 public:
  /// Throws Error as require_writable() does.
  explicit OutputFile(const std::string& name);
  /// Removes what keep() was not called for.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// What to write: a file beside the one that is meant, if that is an ordinary one.
  const std::string& path() const { return path_; }

  /// It is written to the end: takes its name, its bytes on the disk. Throws Error with the system's reason.
  void keep();

 private:
  std::string name_;  // symbolic links followed
  std::string path_;
};

/// For a file that is written after a long run: throws Error, with the reason, if it could not be. "-", standard
/// output, and "" can.
void require_writable(const std::string& file);

/// For a command that reads `read` and will write `written`: throws Error for a file that is among both, and for one
/// that stands twice in `written`, under whatever names; devices, "-" and "" may.
void require_apart(const std::vector<std::string>& written, const std::vector<std::string>& read);

/// Writes `text` to the file, or to standard output for "-". Throws Error with the system's reason.
void write_text(const std::string& file, const std::string& text);

}  // namespace warpfork::process
