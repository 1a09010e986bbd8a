// Source files of the kernels in results, which hold but their names.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "report/json.h"

namespace warpfork::html_report {

/// The text of the files that `kernels` (kernel_costs.h, a list) name, by name; a file that is not found is left out.
///   lines  of the file, from `first` on (1 = the first line): those that cost something, and what stands between
///   path   where it was found
///   newer  true if it was written after the results were: lines may have moved since
/// `places` are files, and folders that hold them; the first that has the name is taken.
report::Json source_texts(const report::Json& kernels, std::span<const std::filesystem::path> places,
                          std::filesystem::file_time_type results_written);

}  // namespace warpfork::html_report
