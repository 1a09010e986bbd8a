// Which plan and which folder of results `sweep` and `why` are about.
#pragma once

#include <filesystem>
#include <string>

#include "config/sweep_plan.h"

namespace warpfork::sweep {

struct SweepFiles {
  std::string plan = "plan.toml";
  std::string results;  // empty = the plan's name with .results
};

/// The plan, read; the present folder becomes the plan's, from where its names are seen, and both names of `files`
/// full ones.
config::SweepPlan open_plan(SweepFiles& files);

/// "plan.toml" → "plan.results"
std::filesystem::path results_of(const std::filesystem::path& plan);

}  // namespace warpfork::sweep
