#include "sweep/sweep_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/text_table.h"
#include "sweep/failure.h"
#include "sweep/point_run.h"
#include "sweep/sweep_progress.h"

namespace warpfork::sweep {

namespace {

constexpr std::size_t kLogBytes = 4096;

/// The end of what a run wrote to standard error.
std::string end_of(const std::filesystem::path& log) {
  std::ostringstream text;
  text << std::ifstream(log).rdbuf();
  const std::string all = text.str();
  return all.size() <= kLogBytes ? all : "…" + all.substr(all.size() - kLogBytes);
}

/// " (its first line)" of a log, as a remark.
std::string first_words(const std::string& log) {
  return log.empty() ? "" : fmt::format(" ({})", log.substr(0, log.find('\n')));
}

}  // namespace

void SweepRuns::submit(const std::vector<std::size_t>& points, Engine& engine) {
  std::vector<Job> jobs;
  for (const std::size_t i : points) {
    const IdentifiedPoint& point = list_.points[i];
    jobs.push_back(
        {i, command_of(point, results_), point.id, std::filesystem::absolute(results_.point_file(point.id))});
  }
  engine.submit(std::move(jobs));
  submitted_ += points.size();
  under_way_.insert(points.begin(), points.end());
}

void SweepRuns::collect(Engine& engine, const process::DeferredSignals& signals) {
  SweepProgress progress(submitted_);
  do {
    for (const JobEnd& end : engine.wait(kSignalWait))
      if (end.end.status == 0 || !signals.came()) note(end);  // a terminal sends its signals to the runs, too
    progress.tell(submitted_ - under_way_.size(), failed_, engine.remark());
  } while (!under_way_.empty() && !signals.came());
  if (under_way_.empty()) {
    engine.settle();
    return;
  }
  engine.cancel();
  forget_interrupted();
}

/// A program that catches the signal and then fails looks, to its run, as if it had failed by itself.
void SweepRuns::forget_interrupted() const {
  for (const std::size_t i : under_way_)
    if (list_.states[i] == PointState::Missing) results_.forget_failure(list_.points[i].id);
}

void SweepRuns::look(Engine& engine) {
  for (const JobEnd& end : engine.wait(std::chrono::milliseconds(0))) note(end);
  engine.settle();
}

void SweepRuns::note(const JobEnd& end) {
  under_way_.erase(end.number);
  const IdentifiedPoint& point = list_.points[end.number];
  if (end.peak_bytes != 0) history_.add(point.id, point.point, end.seconds, end.peak_bytes);
  if (end.end.status == 0 || results_.has_point(point.id)) {  // one of two runs of it may have failed
    list_.states[end.number] = PointState::There;
    list_.causes.erase(point.id);
  } else {
    note_failure(point, end);
    list_.states[end.number] = PointState::Failed;
    list_.causes[point.id] = read_failure(results_.failure(point.id)).cause;
    ++failed_;
  }
  std::filesystem::remove(log_of(point, results_));
}

/// The run itself knows best why, if it lived.
void SweepRuns::note_failure(const IdentifiedPoint& point, const JobEnd& end) const {
  Failure failure;
  if (end.failure)
    failure = *end.failure;
  else if (end.end.signal != 0)
    failure = death_by_signal(end.end.signal);
  else if (end.end.status == 1 && results_.has_failure(point.id))
    failure = read_failure(results_.failure(point.id));
  else
    failure = {"error", fmt::format("its process ended with status {} and left no result", end.end.status)};
  failure.log += end_of(log_of(point, results_));
  results_.keep_failure(point.id, failure.document(point.request));
}

std::string summary(const PointList& list, const ResultFolder& results, std::string_view again) {
  std::string text = fmt::format("{}: {} there", report::grouped(list.points.size(), "point"),
                                 report::grouped(list.number(PointState::There)));
  const std::size_t failed = list.number(PointState::Failed), missing = list.number(PointState::Missing);
  if (missing != 0) text += fmt::format(", {} to run", report::grouped(missing));
  if (failed == 0) return text + "\n";
  text += fmt::format(", {} failed\n", report::grouped(failed));
  std::map<std::string, std::vector<std::string>> groups;  // ids by cause and first line of the message
  for (const auto& [id, cause] : list.causes) {
    const std::string message = read_failure(results.failure(id)).message;
    groups[fmt::format("{}: {}", cause, message.substr(0, message.find('\n')))].push_back(id);
  }
  for (const auto& [cause, ids] : groups)
    text += fmt::format("{:>6}  {}\n        e.g. {}{}\n", report::grouped(ids.size()), cause, ids.front(),
                        first_words(read_failure(results.failure(ids.front())).log));
  return text + fmt::format("  `warpfork why POINT` tells all of a failure; {} runs its points again\n", again);
}

}  // namespace warpfork::sweep
