// Words of reports that their readers stumble over, told where they stand. All of them: docs/glossary.md.
#pragma once

#include <string>
#include <string_view>

namespace warpfork::report {

/// What the words in a report mean that are not understood by themselves; empty if there is none.
///
/// Printed sample:
///   words
///     idle cycles  in which a core with a live warp issued nothing
///     MPKI         misses per thousand thread instructions
std::string words_of(std::string_view text);

}  // namespace warpfork::report
