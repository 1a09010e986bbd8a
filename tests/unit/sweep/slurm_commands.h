// Slurm's commands as small scripts: what they are asked stands in a file, what they answer in another.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "unit/test_folder.h"

namespace warpfork::sweep {

class SlurmCommands {
 public:
  SlurmCommands() : path_(std::getenv("PATH")) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    for (const char* name : {"sbatch", "squeue", "scancel", "sacct"}) answer(name, "", 0);
    answer("sbatch", "7", 0);
    setenv("PATH", (folder_ + ":" + path_).c_str(), 1);
  }
  ~SlurmCommands() { setenv("PATH", path_.c_str(), 1); }
  SlurmCommands(const SlurmCommands&) = delete;
  SlurmCommands& operator=(const SlurmCommands&) = delete;

  /// From now on; what fails says it on standard error.
  void answer(const std::string& name, const std::string& text, int status) const {
    std::ofstream(folder_ + "/" + name + ".answer") << text << '\n';
    std::ofstream(folder_ + "/" + name) << "#!/bin/sh\nprintf '%s ' " << name << " \"$@\" >> " << folder_
                                        << "/asked\necho >> " << folder_ << "/asked\ncat " << folder_ << "/" << name
                                        << ".answer" << (status != 0 ? " >&2" : "") << "\nexit " << status << "\n";
    std::filesystem::permissions(folder_ + "/" + name, std::filesystem::perms::owner_all);
  }
  /// Lines of a command and its arguments, each with a space after it.
  std::string asked() const {
    std::ostringstream text;
    text << std::ifstream(folder_ + "/asked").rdbuf();
    return text.str();
  }

 private:
  std::string folder_ = test_folder() + "/slurm";
  std::string path_;
};

}  // namespace warpfork::sweep
