#include "cuda/api/driver_libraries.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "cuda/api/driver_library_names.h"
#include "cuda/api/process.h"

namespace warpfork::cuda {

namespace {

/// Of this library: a libcuda.so beside it is ours.
std::filesystem::path own_folder() {
  Dl_info here;
  const bool is_known = dladdr(reinterpret_cast<void*>(&report_driver_libraries), &here) != 0;
  return is_known ? std::filesystem::path(here.dli_fname).parent_path() : std::filesystem::path();
}

int report(dl_phdr_info* loaded, std::size_t, void* own) {
  const std::filesystem::path path = loaded->dlpi_name;
  const std::string file = path.filename();
  const std::string_view name = driver_library_of(file);
  std::error_code ignored;
  if (!name.empty() &&
      !std::filesystem::equivalent(path.parent_path(), *static_cast<std::filesystem::path*>(own), ignored))
    Process::instance().report_unsupported(std::string(name.substr(0, name.find('.'))),
                                           "it calls the GPU's driver, and brings kernels as machine code");
  return 0;
}

}  // namespace

void report_driver_libraries() {
  std::filesystem::path own = own_folder();
  dl_iterate_phdr(report, &own);
}

}  // namespace warpfork::cuda
