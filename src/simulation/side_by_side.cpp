#include "simulation/side_by_side.h"

#include <fmt/ranges.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <exception>
#include <optional>
#include <semaphore>
#include <thread>
#include <utility>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"
#include "process/deferred_signals.h"
#include "simulation/output_difference.h"

namespace warpfork::simulation {

namespace {

constexpr std::chrono::milliseconds kWait{100};  // after which signals are looked for

/// What one choice came to.
struct Ended {
  std::optional<Work> work;
  std::exception_ptr failure;
};

void do_some(const WorkOptions& options, const std::vector<MechanismChoice>& choices, std::atomic<std::size_t>& next,
             std::vector<Ended>& ended) {
  for (std::size_t i = next++; i < choices.size(); i = next++) try {
      ended[i].work = do_work(options, choices[i], process::GuestOutput::Captured);
    } catch (...) {
      ended[i].failure = std::current_exception();
      next = choices.size();  // those before it are under way or done
    }
}

/// Waits until every worker has released `ended`. A signal that waits for this thread alone is given to each of them.
void attend(std::vector<std::jthread>& workers, std::counting_semaphore<>& ended) {
  bool is_passed_on = false;
  for (std::size_t left = workers.size(); left != 0;) {
    if (ended.try_acquire_for(kWait)) --left;
    if (is_passed_on || !process::deferred_signal_came()) continue;
    for (std::jthread& worker : workers) pthread_kill(worker.native_handle(), SIGINT);
    is_passed_on = true;
  }
}

/// Each divergence mechanism with each lane organisation. Throws for an unknown name.
std::vector<MechanismChoice> contestants(const WorkOptions& options) {
  std::vector<std::string> divergences = options.divergences, lanes = options.lanes;
  if (divergences.empty()) divergences = lanes.empty() ? divergence_mechanism_names() : std::vector<std::string>{""};
  if (lanes.empty()) lanes = {""};
  std::vector<MechanismChoice> all;
  for (const std::string& divergence : divergences) {
    if (!divergence.empty()) find_divergence_mechanism(divergence);
    for (const std::string& organisation : lanes) {
      if (!organisation.empty()) gpu::find_lane_organisation(organisation);
      all.push_back({divergence, organisation});
    }
  }
  return all;
}

/// As rows and messages call it.
std::string name_of(const MechanismChoice& choice) {
  if (choice.divergence.empty()) return choice.lanes;
  return choice.lanes.empty() ? choice.divergence : choice.divergence + " " + choice.lanes;
}

void require_success(const std::string& name, const process::Outcome& outcome) {
  if (outcome.status == 0) return;
  throw Error("under '{}': {}", name, fmt::join(outcome.complaints, "\n  "));
}

}  // namespace

std::vector<Work> do_side_by_side(const WorkOptions& options, const std::vector<MechanismChoice>& choices,
                                  unsigned jobs) {
  std::vector<Ended> ended(choices.size());
  std::atomic<std::size_t> next = 0;
  {
    // An interrupt ends programs first, so that none leaves files behind; a bare kernel has none.
    std::optional<process::DeferredSignals> signals;
    if (!options.is_bare_kernel()) signals.emplace();
    const pthread_t parent = pthread_self();
    std::counting_semaphore<> finished(0);
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < std::min<std::size_t>(jobs, choices.size()); ++i)
      workers.emplace_back([&] {
        do_some(options, choices, next, ended);
        // The process's signal may have found this thread, which has passed it on to its own program.
        if (process::deferred_signal_came()) pthread_kill(parent, SIGINT);
        finished.release();
      });
    attend(workers, finished);
  }
  std::vector<Work> works;
  for (Ended& one : ended) {
    if (one.failure) std::rethrow_exception(one.failure);
    works.push_back(*std::move(one.work));
  }
  return works;
}

SideBySide compare_mechanisms(const WorkOptions& options) {
  const std::vector<MechanismChoice> choices = contestants(options);
  const unsigned jobs = options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  std::vector<Work> works = do_side_by_side(options, choices, jobs);
  SideBySide compared;
  for (std::size_t i = 0; i < works.size(); ++i) {
    const std::string name = name_of(choices[i]);
    require_success(name, works[i].outcome);
    compared.works.emplace_back(name, std::move(works[i]));
    const auto& [first_name, first] = compared.works.front();
    require_same_output(first_name, first.outcome, name, compared.works.back().second.outcome);
  }
  return compared;
}

report::Json SideBySide::document() const {
  report::Json results = report::Json::array();
  for (const auto& [name, work] : works) results.push_back(work.document());
  return {{"schema", 1}, {"results", std::move(results)}};
}

}  // namespace warpfork::simulation
