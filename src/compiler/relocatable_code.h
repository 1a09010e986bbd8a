// Device code of several files, as the linker sees it: what stands between the objects of -fgpu-rdc and the runtime.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpfork::compiler {

/// How the symbols begin by which clang's and nvcc's relocatable objects want to be registered, one for each object.
inline constexpr std::string_view kRegistration = "__cudaRegisterLinkedBinary";

/// What tells clang, for both of its passes over the source, to make code that wants to be registered so.
std::vector<std::string> relocatable_words(const std::filesystem::path& source, unsigned clang_version);

/// Whether the file, an object or an archive, names such a symbol.
bool may_hold_relocatable_code(const std::filesystem::path& file);

/// A linker's words with all members of the archives that may hold relocatable code: it takes none for a device
/// function's sake.
std::vector<std::string> with_whole_archives(const std::vector<std::string>& words);

/// The symbols of that kind that the linked file lacks.
std::set<std::string> missing_registrations(const std::filesystem::path& linked);

/// C source of these functions: with the first one's call the device code of all the objects is registered as one
/// image, a wrapper of version 2 as nvcc's device linker makes it (cuda/image/embedded_ptx.h), of which the runtime
/// links the PTX.
std::string registration_source(const std::set<std::string>& functions);

/// A function that the relocatable device code in the file calls and nobody defines. Throws Error if the file's PTX
/// cannot be linked.
std::optional<std::string> missing_function(const std::filesystem::path& file);

}  // namespace warpfork::compiler
