#include "cli/sweep_engine.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "process/find_program.h"
#include "process/install_paths.h"
#include "process/processors.h"
#include "sweep/free_memory.h"
#include "sweep/local_engine.h"
#include "sweep/slurm/slurm_engine.h"

namespace warpfork::cli {

unsigned EngineOptions::at_a_time() const { return jobs.value_or(is_slurm() ? 1 : process::processors()); }

void add_engine_options(Command& command, EngineOptions& options) {
  command.add_option("--engine", options.engine, "what runs the points: local (this machine) or slurm (a cluster)")
      .value_name("NAME")
      .shows_default();
  command
      .add_option("--jobs", options.jobs,
                  "points at a time; default: one for each processor; with slurm: in each task, default 1")
      .value_name("N")
      .within(1, 1024);
  command
      .add_option("--memory", options.memory,
                  "memory that they may need together; default: nine tenths of what is free; with slurm: what they are "
                  "expected to need, and a quarter more")
      .value_name("MIB");
  command
      .add_option("--chunk", options.chunk,
                  "slurm: points of a task; default: so many that there are at most 200 tasks")
      .value_name("N")
      .within(1, 1'000'000);
  command
      .add_option("--sbatch", options.sbatch,
                  "slurm: options for sbatch, such as --sbatch=\"--time=2:00:00 --partition=long\"")
      .repeatable()
      .value_name("OPTIONS");
}

void check_engine(const EngineOptions& options) {
  if (options.engine != "local" && !options.is_slurm())
    throw UsageError(fmt::format("--engine {}: there is no such engine\n  engines: local, slurm", options.engine));
  if (!options.is_slurm() && (options.chunk || !options.sbatch.empty() || options.detach))
    throw UsageError("--chunk, --sbatch and --detach are options of --engine slurm");
  for (const std::string& words : options.sbatch)
    if (words.find('\n') != std::string::npos) throw UsageError("--sbatch: one line, please");
}

std::unique_ptr<sweep::Engine> make_engine(const EngineOptions& options, const sweep::ResultFolder& results,
                                           const std::function<std::uint64_t(std::size_t)>& bytes_of,
                                           const process::DeferredSignals& signals) {
  const std::uint64_t bytes = options.memory << 20;
  if (options.is_slurm()) {
    if (process::find_program("sbatch").empty())
      throw Error("--engine slurm: sbatch is not found: this machine is no login node of a Slurm cluster");
    const std::string warpfork = process::program_file().string();
    return std::make_unique<sweep::SlurmEngine>(
        sweep::SlurmOptions{std::filesystem::absolute(results.slurm()), warpfork, options.chunk.value_or(0),
                            options.at_a_time(), bytes, options.sbatch},
        bytes_of, signals);
  }
  if (results.is_under_way_elsewhere())
    throw Error(
        "{}: points of it are under way on a cluster\n  --engine slurm waits for them, or cancels them when "
        "interrupted",
        results.path().string());
  return std::make_unique<sweep::LocalEngine>(
      sweep::LocalLimits{options.at_a_time(), bytes != 0 ? bytes : sweep::free_memory()}, bytes_of, signals);
}

}  // namespace warpfork::cli
