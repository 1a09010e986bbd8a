// The PTX that a CUDA compiler has left in a file: an executable, a library, an object or an archive of objects.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace warpfork::cuda {

/// The PTX of one code image, the text that would be simulated.
struct FilePtx {
  std::string name;  // "bfs.0.ptx": as messages call it when the program runs
  std::string text;
};

/// Of every image in the file that holds PTX, in their order: a program registers them in this order, and does not
/// register the one without PTX that nvcc's device linker puts before them. Those which that has linked are one, as in
/// the program. Throws Error if there is none, with the reason, or if they cannot be linked.
std::vector<FilePtx> ptx_of_file(const std::filesystem::path& file);

/// The same of a file's contents, `name` in place of its name. None if it has no device code at all.
std::vector<FilePtx> ptx_of_contents(std::span<const std::byte> contents, const std::string& name);

}  // namespace warpfork::cuda
