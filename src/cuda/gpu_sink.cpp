#include "cuda/gpu_sink.h"

#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "config/description.h"
#include "cuda/kernel_filter.h"
#include "cuda/progress_line.h"
#include "cuda/saving_sink.h"
#include "explain/explainer.h"
#include "gpu/code_options.h"
#include "gpu/device.h"
#include "gpu/machine_spec.h"
#include "gpu/occupancy.h"
#include "report/launch_range.h"
#include "trace/tracer.h"

namespace warpfork::cuda {

namespace {

/// Shows how far a launch is, and gives somebody else the opportunity to end it.
class Progress final : public gpu::LaunchProgress {
 public:
  Progress(const std::string& mechanism, std::function<void()> at_times)
      : line(mechanism), at_times_(std::move(at_times)) {}

  void advanced(Cycle cycles, std::uint64_t finished_blocks) override {
    line.advanced(cycles, finished_blocks);
    if (at_times_) at_times_();
  }
  void rehearses(unsigned number) override { line.rehearses(number); }

  ProgressLine line;

 private:
  std::function<void()> at_times_;
};

class GpuSink final : public LaunchSink {
 public:
  GpuSink(const gpu::MachineSpec& spec, gpu::LaunchOptions options, const std::string& timed_kernels,
          const NumberRange& timed_launches, const explain::Request& explanation, const trace::Request& trace,
          std::function<void()> at_times)
      : device_(spec),
        options_(std::move(options)),
        timed_kernels_(timed_kernels),
        timed_launches_(timed_launches),
        progress_(spec.divergence.mechanism, std::move(at_times)) {
    options_.progress = &progress_;
    if (!explanation.result_file.empty()) explainer_.emplace(explanation);
    if (!trace.file.empty()) tracer_.emplace(trace);
  }

  LaunchOutcome run(const simt::Launch& launch) override {
    gpu::LaunchOptions options = options_;
    if (explainer_) options.listener = explainer_->begin(launch, device_.spec());
    const bool is_past_interest = explainer_ && explainer_->is_done();
    ++number_;
    options.sample.seed += number_ << 32;  // launches of a program do not all begin alike
    if (is_past_interest || !timed_launches_.contains(number_) || !timed_kernels_.matches(launch.program->name))
      options.functional_only = true;
    if (options.listener) options.functional_only = false;
    if (tracer_ && !options.functional_only) options.trace = tracer_->begin(launch, device_.spec());
    report::LaunchRecord record = run_with_progress(launch, options);
    // A kernel without timing takes a cycle per warp instruction, so that programs that divide by a time do not by 0.
    const Cycle cycles = record.timed ? record.cycles : record.warp_instructions;
    return {cycles, std::move(record)};
  }

  simt::CodeOptions code_options() const override { return gpu::code_options(device_.spec()); }

  bool watches_memory() const override { return options_.check_memory; }

  Residency residency(const simt::Program& program, unsigned threads,
                      std::uint32_t dynamic_shared_bytes) const override {
    gpu::Occupancy fits = gpu::occupancy(device_.spec().core, program, threads, dynamic_shared_bytes);
    return {fits.blocks_per_core, std::move(fits.limited_by)};
  }

  /// What a copy leaves in the L2 matters to launches with timing alone.
  void copied_from_host(std::uint64_t address, std::uint64_t bytes) override {
    if (!options_.functional_only || explainer_) device_.copied_from_host(address, bytes);
  }

 private:
  report::LaunchRecord run_with_progress(const simt::Launch& launch, const gpu::LaunchOptions& options) {
    progress_.line.begin(launch);
    try {
      report::LaunchRecord record = device_.run(launch, options);
      progress_.line.end();
      if (options.listener) explainer_->end();
      if (options.trace) tracer_->end(record.cycles, record.cut_off);
      return record;
    } catch (const std::exception& failure) {  // somebody will print why
      progress_.line.erase();
      if (options.listener) explainer_->end();
      if (options.trace) tracer_->fail(failure.what());
      throw;
    }
  }

  gpu::Device device_;
  gpu::LaunchOptions options_;
  KernelFilter timed_kernels_;  // others run functionally
  NumberRange timed_launches_;  // likewise
  std::uint64_t number_ = 0;    // of the launch, from 1 on
  std::optional<explain::Explainer> explainer_;
  std::optional<trace::Tracer> tracer_;
  Progress progress_;
};

}  // namespace

std::unique_ptr<LaunchSink> make_gpu_sink(const SessionRequest& request) { return make_gpu_sink(request, {}); }

std::unique_ptr<LaunchSink> make_gpu_sink(const SessionRequest& request, std::function<void()> at_times) {
  const Json& simulation = request.simulation;
  gpu::MachineSpec spec;
  config::bind_json(spec, simulation.at("machine"), "the machine of the request");
  gpu::LaunchOptions options;
  options.sample = {simulation.at("sample").at(0), simulation.at("sample").at(1)};
  options.threads = simulation.at("threads");
  options.functional_only = simulation.at("functional_only");
  options.max_cycles = simulation.at("max_cycles");
  options.max_instructions = simulation.at("max_instructions");
  options.counts_lines = simulation.at("lines");
  options.interval = simulation.at("interval");
  options.check_races = simulation.at("check_races");
  options.check_memory = simulation.at("check_memory");
  options.counts_activity = simulation.at("energy");
  options.check_scalars = simulation.at("check_scalars");
  auto gpu = std::make_unique<GpuSink>(spec, std::move(options), simulation.at("kernels").get<std::string>(),
                                       report::launch_range(simulation.at("launches").get<std::string>()),
                                       explain::request_from(simulation.at("explain")),
                                       trace::request_from(simulation.at("trace")), std::move(at_times));
  const SaveRequest save = save_request_from(simulation.at("save"));
  if (save.launch == 0) return gpu;
  return make_saving_sink(std::move(gpu), save);
}

}  // namespace warpfork::cuda
