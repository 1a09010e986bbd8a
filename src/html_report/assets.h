// Scripts and styles of the report (assets/), which the build puts into the program as text (cmake/assets.cmake).
#pragma once

#include <string_view>

namespace warpfork::html_report {

extern const std::string_view kReportStyles;
extern const std::string_view kReportScript;
extern const std::string_view kCharts;       ///< Apache ECharts
extern const std::string_view kGraphLayout;  ///< dagre

}  // namespace warpfork::html_report
