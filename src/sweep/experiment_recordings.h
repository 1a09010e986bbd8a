// The recordings that an experiment's runs replay: made once, kept in the folder of its results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/experiment_plan.h"
#include "process/deferred_signals.h"
#include "sweep/engine.h"
#include "sweep/result_folder.h"

namespace warpfork::sweep {

class ExperimentRecordings {
 public:
  /// `programs`: the folder that benchmarks name their programs in.
  ExperimentRecordings(std::filesystem::path programs, const ResultFolder& results);

  /// The file of a benchmark's recording with so many threads, of several the one of this number. "{threads}" among its
  /// arguments stands for the threads. What it is made from, program and recorder included, is in its name: a file that
  /// is there need not be made again. Throws Error if the program is not there.
  std::string file(const config::Benchmark& benchmark, unsigned threads, unsigned recording);

  /// Makes those that were asked for and are not there. Ends early when one of the signals has come. Throws Error with
  /// what the first program that could not be recorded says.
  void make(Engine& engine, const process::DeferredSignals& signals);

 private:
  struct Missing {
    std::string name;  // of the file, without what it ends in
    process::ChildCommand command;
  };

  void note_end(const JobEnd& end) const;

  const std::filesystem::path programs_;
  const ResultFolder& results_;
  std::vector<Missing> missing_;
};

}  // namespace warpfork::sweep
