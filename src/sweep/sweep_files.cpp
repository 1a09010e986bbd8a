#include "sweep/sweep_files.h"

#include "config/text_file.h"

namespace warpfork::sweep {

std::filesystem::path results_of(const std::filesystem::path& plan) {
  return std::filesystem::path(plan).replace_extension(".results");
}

config::SweepPlan open_plan(SweepFiles& files) {
  if (files.results.empty()) files.results = results_of(files.plan);
  files.results = std::filesystem::absolute(files.results).lexically_normal();
  config::SweepPlan plan = config::parse_sweep(config::read_text(files.plan), files.plan);
  files.plan = std::filesystem::absolute(files.plan);
  std::filesystem::current_path(std::filesystem::path(files.plan).parent_path());
  return plan;
}

}  // namespace warpfork::sweep
