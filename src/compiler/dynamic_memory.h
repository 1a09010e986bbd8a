// Where the shared memory that a launch asks for begins.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::compiler {

/// PTX whose arrays of unknown length in shared memory begin at multiples of 16 bytes, as in nvcc's whatever their
/// type: programs take `extern __shared__ char memory[];` for numbers of any type, which clang lets begin right behind
/// the kernel's other variables.
std::string with_aligned_dynamic_memory(std::string_view ptx);

}  // namespace warpfork::compiler
