// The PTX in what a program gives the driver to load: a text, a fat binary, or a wrapper around one.
#pragma once

#include <cuda.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace warpfork::cuda::driver {

/// `image`: a text with a zero at its end, a fat binary, or a wrapper as compilers make them (embedded_ptx()). Throws
/// ApiError, for machine code without PTX silently with cudaErrorNoKernelImageForDevice, after it was reported as not
/// supported: the program may have other code.
std::string loadable_ptx(const void* image);

/// Of such a file. Throws ApiError with cudaErrorFileNotFound if it cannot be read.
std::string loadable_ptx_of(const std::filesystem::path& file);

/// Of what a program gives the driver to link: one text, or that of each image in an object or an archive of objects,
/// which may have none. Throws ApiError as loadable_ptx() does, for other types silently with cudaErrorNotSupported,
/// after `call` was reported.
std::vector<std::string> linkable_ptx(CUjitInputType type, std::span<const std::byte> input, const std::string& name,
                                      const char* call);
std::vector<std::string> linkable_ptx_of(CUjitInputType type, const std::filesystem::path& file, const char* call);

}  // namespace warpfork::cuda::driver
