// `{axis}` in a plan's strings.
#pragma once

#include <functional>
#include <string>

namespace warpfork::sweep {

/// Told the name and `place`, for messages.
using ValueOfName = std::function<std::string(const std::string& name, const std::string& place)>;

/// The text with each `{name}` replaced by its value; `{{` and `}}` stand for braces. Throws Error that begins
/// with `place` for a brace without its other.
std::string replace_placeholders(const std::string& text, const std::string& place, const ValueOfName& value_of);

}  // namespace warpfork::sweep
