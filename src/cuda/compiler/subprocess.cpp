#include "cuda/compiler/subprocess.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "base/error.h"

namespace warpfork::cuda {

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string candidate = folder + "/" + name; access(candidate.c_str(), X_OK) == 0) return candidate;
  return {};
}

int run_program(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  if (const int error = posix_spawn(&child, words[0], nullptr, nullptr, words.data(), environ); error != 0)
    throw Error("{}: cannot be started: {}", command[0], std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw Error("{}: cannot be waited for: {}", command[0], std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace warpfork::cuda
