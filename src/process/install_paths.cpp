#include "process/install_paths.h"

#include <initializer_list>

#include "base/error.h"

namespace warpfork::process {

namespace {

/// The first of the folders, seen from the program's own, that holds `part`.
std::filesystem::path find_folder(std::initializer_list<const char*> folders, const char* part) {
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* folder : folders)
    if (std::filesystem::exists(own / folder / part)) return (own / folder).lexically_normal();
  throw Error("this warpfork is not complete: {} is neither in {} nor in {}\n  build or install it as a whole", part,
              (own / *folders.begin()).lexically_normal().string(),
              (own / *(folders.end() - 1)).lexically_normal().string());
}

}  // namespace

std::filesystem::path share_folder() { return find_folder({"share/warpfork", "../share/warpfork"}, "machines"); }

std::filesystem::path library_folder() { return find_folder({"lib", "../lib/warpfork"}, "libcudart.so.12"); }

std::filesystem::path workloads_folder() { return find_folder({".", "../lib/warpfork"}, "workloads") / "workloads"; }

}  // namespace warpfork::process
