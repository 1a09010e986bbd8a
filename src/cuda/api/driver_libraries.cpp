#include "cuda/api/driver_libraries.h"

#include <link.h>

#include <algorithm>
#include <string_view>

#include "cuda/api/process.h"

namespace warpfork::cuda {

namespace {

/// How their files' names begin, several files of one library alike.
constexpr std::string_view kNames[] = {"libcublas",   "libcuda.so",  "libcudnn", "libcufft", "libcurand",
                                       "libcusolver", "libcusparse", "libnccl",  "libnpp",   "libnvjpeg"};

int report(dl_phdr_info* loaded, std::size_t, void*) {
  const std::string_view path = loaded->dlpi_name;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  const auto* const name =
      std::ranges::find_if(kNames, [&](std::string_view begin) { return file.starts_with(begin); });
  if (name != std::end(kNames))
    Process::instance().report_unsupported(std::string(name->substr(0, name->find('.'))),
                                           "it calls the GPU's driver, and brings kernels as machine code");
  return 0;
}

}  // namespace

void report_driver_libraries() { dl_iterate_phdr(report, nullptr); }

}  // namespace warpfork::cuda
