// `{axis}` in a plan's strings.
#pragma once

#include <functional>
#include <string>

namespace warpfork::sweep {

/// The text with each `{name}` replaced by `value_of(name)`; `{{` and `}}` stand for braces. Throws Error that begins
/// with `place` for a brace without its other.
std::string replace_placeholders(const std::string& text, const std::string& place,
                                 const std::function<std::string(const std::string&)>& value_of);

}  // namespace warpfork::sweep
