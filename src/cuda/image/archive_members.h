// The files in an archive of objects, as `ar` writes it (ar(5); System V ABI, "Archive File").
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpfork::cuda {

bool is_archive(std::span<const std::byte> file);

/// Views of the archive's members in their order, its tables of symbols and names among them. Throws Error if it is cut
/// off.
std::vector<std::span<const std::byte>> archive_members(std::span<const std::byte> archive);

}  // namespace warpfork::cuda
