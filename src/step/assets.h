// What the page of `step` is made of: files of assets/, which the build puts into the program (cmake/assets.cmake).
#pragma once

#include <string_view>

namespace warpfork::step {

extern const std::string_view kStepBody;    ///< assets/step.html
extern const std::string_view kStepStyles;  ///< assets/step.css
extern const std::string_view kStepScript;  ///< assets/states.js, view.js and controls.js, which are one module

}  // namespace warpfork::step
