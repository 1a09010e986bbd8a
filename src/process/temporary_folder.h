// A folder that goes when its owner goes.
#pragma once

#include <filesystem>

namespace warpfork::process {

/// A new, private folder for temporary files, removed with its contents by the destructor. Throws Error with the
/// system's reason.
class TemporaryFolder {
 public:
  /// Where the user has such files: $TMPDIR, or /tmp.
  TemporaryFolder();
  explicit TemporaryFolder(const std::filesystem::path& parent);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace warpfork::process
