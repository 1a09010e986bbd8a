// NVIDIA's libraries that call the GPU's driver by themselves.
#pragma once

#include <algorithm>
#include <string_view>

namespace warpfork::cuda {

/// How their files' names begin, several files of one library alike.
inline constexpr std::string_view kDriverLibraryNames[] = {"libcublas", "libcuda.so",  "libcudnn",    "libcufft",
                                                           "libcurand", "libcusolver", "libcusparse", "libnccl",
                                                           "libnpp",    "libnvjpeg"};

/// The one of a file of that name; "" of others.
inline std::string_view driver_library_of(std::string_view file) {
  const auto* const name =
      std::ranges::find_if(kDriverLibraryNames, [&](std::string_view begin) { return file.starts_with(begin); });
  return name == std::end(kDriverLibraryNames) ? std::string_view() : *name;
}

}  // namespace warpfork::cuda
