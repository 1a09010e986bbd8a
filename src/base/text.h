// Text for messages: what the user may have meant, and how many there are of something.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpfork {

/// Up to `most` of `known`, nearest first by edit distance, ties in their given order.
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& known,
                                       std::size_t most = 3);

/// Says that there is no `what` of that name. `all`: what those are called that there are.
///   there is no core 'simtx'
///     did you mean simt-x? all cores: smt, ditva, simt-x
std::string no_such_name(std::string_view what, std::string_view name, std::string_view all,
                         const std::vector<std::string>& known);

/// "1 warp", "2 warps", "2 launches": of what takes an s, or es behind ch.
std::string counted(std::uint64_t count, std::string_view what);

}  // namespace warpfork
