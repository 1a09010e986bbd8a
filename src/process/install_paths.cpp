#include "process/install_paths.h"

#include <dlfcn.h>
#include <link.h>

#include <initializer_list>

#include "base/error.h"

namespace warpfork::process {

namespace {

using std::filesystem::file_type;

/// The file that holds this code: a program, or warpfork's library in a program of somebody else.
std::filesystem::path own_file() {
  Dl_info symbol{};
  link_map* object = nullptr;
  const auto* here = reinterpret_cast<const void*>(&share_folder);
  if (dladdr1(here, &symbol, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0 && *object->l_name)
    return std::filesystem::canonical(object->l_name);
  return std::filesystem::read_symlink("/proc/self/exe");  // the program itself has no name there
}

/// The first of the folders, seen from our own, that holds `part` of this type: beside an installed libwarpfork.so,
/// lib/warpfork is a folder, not the program.
std::filesystem::path find_folder(std::initializer_list<const char*> folders, const char* part, file_type type) {
  const std::filesystem::path own = own_file().parent_path();
  for (const char* folder : folders)
    if (std::filesystem::status(own / folder / part).type() == type) return (own / folder).lexically_normal();
  throw Error("this warpfork is not complete: {} is neither in {} nor in {}\n  build or install it as a whole", part,
              (own / *folders.begin()).lexically_normal().string(),
              (own / *(folders.end() - 1)).lexically_normal().string());
}

}  // namespace

std::filesystem::path share_folder() {
  return find_folder({"share/warpfork", "../share/warpfork"}, "machines", file_type::directory);
}

std::filesystem::path library_folder() {
  return find_folder({"lib", "../lib/warpfork"}, "libcudart.so.12", file_type::regular);
}

std::filesystem::path workloads_folder() {
  return find_folder({".", "../lib/warpfork"}, "workloads", file_type::directory) / "workloads";
}

std::filesystem::path program_file() {
  return find_folder({".", "../bin"}, "warpfork", file_type::regular) / "warpfork";
}

}  // namespace warpfork::process
