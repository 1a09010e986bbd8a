// Text for messages: what the user may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfork {

/// Up to `most` of `known`, nearest first by edit distance, ties in their given order.
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& known,
                                       std::size_t most = 3);

}  // namespace warpfork
