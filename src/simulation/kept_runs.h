// The finished runs of an experiment, kept in a folder, so that a long one can be interrupted and gone on with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "experiment/run_name.h"
#include "report/result_document.h"

namespace warpfork::simulation {

/// A file for each run, written at once when the run has ended. May be used by several threads.
class KeptRuns {
 public:
  /// Makes the folder if there is none. `origin`: all that the runs depend on. Throws Error if the folder cannot be
  /// used, or holds runs of another origin.
  KeptRuns(std::filesystem::path folder, const report::Json& origin);

  /// The run's totals, if it is kept. Throws Error if its file is damaged.
  std::optional<report::Json> find(const experiment::RunName& run) const;
  void keep(const experiment::RunName& run, const report::Json& totals) const;
  /// Where the programs' recordings belong.
  std::filesystem::path recordings() const { return folder_ / "recordings"; }

 private:
  std::filesystem::path file(const experiment::RunName& run) const;

  std::filesystem::path folder_;
};

}  // namespace warpfork::simulation
