// The page of `warpfork report`.
#pragma once

#include <string>

#include "html_report/result_files.h"
#include "report/json.h"

namespace warpfork::html_report {

struct ReportOptions {
  std::string title;                 ///< "" = what was run
  std::vector<std::string> sources;  ///< files and folders in which source files are looked for
};

/// What the page's scripts draw (assets/*.js say of what they make of each key).
report::Json report_data(Results results, const ReportOptions& options);

/// The whole page, one file.
std::string report_page(const report::Json& data);

}  // namespace warpfork::html_report
