// The PTX in what a program gives the driver to load: a text, a fat binary, or a wrapper around one.
#pragma once

#include <filesystem>
#include <string>

namespace warpfork::cuda::driver {

/// `image`: a text with a zero at its end, a fat binary, or a wrapper as compilers make them (embedded_ptx()). Throws
/// ApiError, for machine code without PTX silently with cudaErrorNoKernelImageForDevice, after it was reported as not
/// supported: the program may have other code.
std::string loadable_ptx(const void* image);

/// Of such a file. Throws ApiError with cudaErrorFileNotFound if it cannot be read.
std::string loadable_ptx_of(const std::filesystem::path& file);

}  // namespace warpfork::cuda::driver
