// What `run`, `compare` and `explain` are asked to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/saving_sink.h"
#include "explain/request.h"
#include "gpu/sample_plan.h"
#include "trace/request.h"

namespace warpfork::simulation {

/// Names; empty = as the machine says.
struct MechanismChoice {
  std::string divergence, lanes;
};

struct WorkOptions {
  std::string machine = "gtx480";
  MechanismChoice mechanisms;                   // of `run` and `explain`
  std::vector<std::string> divergences, lanes;  // of `compare` and `step`
  bool numbers_may_differ = false;              // of `compare`: in the output, under the mechanisms
  unsigned jobs = 0;                            // of `compare`: runs at a time, 0 = one for each processor
  gpu::SampleRequest sample;                    // of `run`: how much of each launch is simulated in detail
  unsigned threads = 1;                         // of `run`: host threads that share the cores of a launch
  std::string scheduler;                        // empty = as the machine says
  std::string scalarize;                        // rule, likewise
  bool check_scalars = false;
  std::vector<std::string> overrides;  // path.to.key=value
  bool functional_only = false;
  bool energy = false;         // of the run, and the area of the chip
  std::string kernels;         // regular expression, empty = all
  std::string launches;        // numbers, empty = all
  bool lines = false;          // what each source line cost
  std::uint64_t interval = 0;  // core cycles, 0 = nothing is counted over time
  std::string csv;             // file for what is counted over time, "-" = standard output, empty = none
  bool check_races = false, check_memory = false;
  std::uint64_t max_cycles = 0;         // of one launch, 0 = no limit
  std::uint64_t max_instructions = 0;   // likewise
  std::string launch;                   // launch file of a bare kernel
  std::string json;                     // file, "-" = standard output, empty = none
  std::string host_time;                // file, empty = none
  explain::Request explain;             // `explain` and `step`: which warp
  std::string graph;                    // `explain`: file, empty = none
  std::string page;                     // `step`: file, "-" = standard output
  cuda::SaveRequest save;               // `run`: the launch that is written to a file, and it
  trace::Request trace;                 // `run`: the timeline that is drawn
  std::uint64_t trace_megabytes = 512;  // of it, 0 = no limit; viewers in a browser hold about twice as much

  std::string program;  // an executable, or a file that ends in .ptx or .wfl
  std::vector<std::string> arguments;

  bool is_bare_kernel() const { return program.ends_with(".ptx"); }
  bool is_saved_launch() const { return program.ends_with(".wfl"); }
  /// Else it is a program, with arguments and an output of its own.
  bool is_one_launch() const { return is_bare_kernel() || is_saved_launch(); }
};

/// Throws Error for options that do not go together, and for a program that is a file of another kind.
void require_consistent(const WorkOptions& options);

/// Throws Error if `compare` would not heed what its options say.
void require_comparable(const WorkOptions& options);

}  // namespace warpfork::simulation
