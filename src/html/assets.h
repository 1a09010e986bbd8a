// What every page has: files of assets/, which the build puts into the program as text (cmake/assets.cmake).
#pragma once

#include <string_view>

namespace warpfork::html {

extern const std::string_view kPageStyles;  ///< assets/page.css
extern const std::string_view kPageScript;  ///< assets/page.js

}  // namespace warpfork::html
