// A folder that goes when its owner goes.
#pragma once

#include <filesystem>

namespace warpfork::process {

/// A new, private folder for temporary files, removed with its contents by the destructor.
class TemporaryFolder {
 public:
  /// Throws Error with the system's reason.
  explicit TemporaryFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path());
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace warpfork::process
