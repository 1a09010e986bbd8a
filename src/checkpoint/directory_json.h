// The directory of a saved launch's file as JSON.
#pragma once

#include <string>
#include <string_view>

#include "checkpoint/file_format.h"

namespace warpfork::checkpoint {

std::string to_text(const Directory& directory);

/// Throws Error, which begins with `place`, for anything that is no directory.
Directory directory_from(std::string_view text, const std::string& place);

}  // namespace warpfork::checkpoint
