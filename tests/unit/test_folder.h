// Where a test writes its files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace warpfork {

/// A folder of this process alone, which goes with it: ctest runs tests of one program side by side.
inline const std::string& test_folder() {
  struct Folder {
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
    std::string path = testing::TempDir() + "warpfork_test_" + std::to_string(getpid());
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace warpfork
