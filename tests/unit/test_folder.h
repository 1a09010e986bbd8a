// Where a test writes its files.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace warpfork {

/// A folder of this process alone, which goes with it: ctest runs tests of one program side by side. That of a death
/// test's process, which ends in the middle, lies in its parent's, and goes with that.
inline const std::string& test_folder() {
  struct Folder {
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
    std::string path =
        testing::TempDir() + "warpfork_test_" +
        (testing::internal::InDeathTestChild() ? fmt::format("{}/{}", getppid(), getpid()) : std::to_string(getpid()));
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace warpfork
