// The results that a report is made of: files that other commands wrote with --json, and folders of sweeps.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "report/json.h"

namespace warpfork::html_report {

/// The result of one run as `run` or `cpu run` writes it.
struct RunResult {
  std::string file;       ///< it stood in
  report::Json document;  ///< docs/result-schema.md, docs/cpu.md
  report::Json point;     ///< of a sweep: what makes it up (docs/sweep.md); else null
};

struct Results {
  std::vector<RunResult> runs;                   ///< in the order of files; of a folder by point
  std::vector<report::Json> experiments;         ///< docs/experiments.md
  std::size_t failures = 0;                      ///< points that have no result
  std::vector<std::filesystem::path> folders{};  ///< in which the files lie
  std::filesystem::file_time_type written{};     ///< when the last of them was
};

/// Reads results of `run`, `compare`, `cpu run`, `cpu compare`, `experiment` and points of a sweep, and folders of
/// results of sweeps. Throws Error with the file's name for whatever else it is given, and if there is no result at
/// all.
Results read_results(std::span<const std::filesystem::path> files);

/// Throws the Error for results of which a value is not of the kind that it should be; `cause`: the JSON library's.
[[noreturn]] void refuse_values(std::span<const std::filesystem::path> files, const report::Json::exception& cause);

/// What `make` makes of the results in the files. Throws Error as read_results() does, and as refuse_values() for what
/// `make` finds.
template <class Make>
auto make_of_results(std::span<const std::filesystem::path> files, const Make& make) {
  Results results = read_results(files);
  try {
    return make(std::move(results));
  } catch (const report::Json::exception& error) {
    refuse_values(files, error);
  }
}

}  // namespace warpfork::html_report
