// Which engine runs a sweep's points, as the command line has it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "process/deferred_signals.h"
#include "sweep/engine.h"
#include "sweep/result_folder.h"

namespace warpfork::cli {

struct EngineOptions {
  std::string engine = "local";
  std::optional<unsigned> jobs, chunk;
  std::uint64_t memory = 0;  // MiB, 0 = what is free, or expected
  std::vector<std::string> sbatch;
  bool detach = false;

  bool is_slurm() const { return engine == "slurm"; }
  /// Points at a time on this machine, or in a task of Slurm.
  unsigned at_a_time() const;
};

/// All but --detach.
void add_engine_options(Command& command, EngineOptions& options);

/// Throws UsageError for options that the engine does not have.
void check_engine(const EngineOptions& options);

/// `bytes_of`: the memory that a point of that number is expected to need. Throws Error if points of this folder are
/// under way by another engine.
std::unique_ptr<sweep::Engine> make_engine(const EngineOptions& options, const sweep::ResultFolder& results,
                                           const std::function<std::uint64_t(std::size_t)>& bytes_of,
                                           const process::DeferredSignals& signals);

}  // namespace warpfork::cli
