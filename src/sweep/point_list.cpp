#include "sweep/point_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/wrapped.h"
#include "simulation/cpu_work.h"
#include "simulation/key_use.h"
#include "sweep/expansion.h"
#include "sweep/failure.h"

namespace warpfork::sweep {

namespace {

std::string state_text(PointState state, const std::string& cause) {
  if (state == PointState::There) return "there";
  return state == PointState::Missing ? "to run" : "failed: " + cause;
}

/// What is set for a key of CPU cores, or of GPUs.
struct Setting {
  const Point* first;
  std::string assignment;
  std::set<std::string> cores;
  std::set<simulation::KeyUsers> gpus;

  void require_use() const {
    if (first->on_cpu()) return simulation::require_use({assignment}, {cores.begin(), cores.end()});
    simulation::require_key_use(assignment, {gpus.begin(), gpus.end()});
  }
};

/// A key that a plan sets must make a difference to one of the cores, or mechanisms, for which it is set.
void require_use(const std::vector<IdentifiedPoint>& points) {
  std::map<std::pair<bool, std::string_view>, Setting> settings;
  for (const auto& [point, id, request, key_users] : points)
    for (const std::string& assignment : point.overrides) {
      Setting& setting =
          settings.try_emplace({point.on_cpu(), simulation::key_of(assignment)}, Setting{&point, assignment, {}, {}})
              .first->second;
      setting.cores.insert(point.core);
      setting.gpus.insert(key_users);
    }
  for (const auto& [key, setting] : settings) try {
      setting.require_use();
    } catch (const Error& error) {
      throw Error("{}point '{}': {}", setting.first->place, setting.first->label(), error.what());
    }
}

}  // namespace

std::size_t PointList::number(PointState state) const {
  return static_cast<std::size_t>(std::ranges::count(states, state));
}

std::vector<std::size_t> PointList::to_run(const std::vector<std::string>& retried) const {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool again =
        states[i] == PointState::Failed && std::ranges::find(retried, causes.at(points[i].id)) != retried.end();
    if (states[i] == PointState::Missing || again) chosen.push_back(i);
  }
  return chosen;
}

std::string PointList::text() const {
  std::string text;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto cause = causes.find(points[i].id);
    text += wrapped(
        points[i].point.label(),
        fmt::format("{}  {:<15}  ", points[i].id, state_text(states[i], cause == causes.end() ? "" : cause->second)),
        "                                   ");
  }
  return text;
}

std::vector<IdentifiedPoint> identified_points(const config::SweepPlan& plan) {
  Identifier identifier(plan.options);
  std::vector<IdentifiedPoint> points;
  for (const Point& point : points_of(plan)) points.push_back(identifier.identify(point));
  require_use(points);
  return points;
}

PointList list_points(const config::SweepPlan& plan, const ResultFolder& results) {
  return list_points(identified_points(plan), results);
}

PointList list_points(std::vector<IdentifiedPoint> points, const ResultFolder& results) {
  PointList list;
  const std::set<std::string> there = results.points(), failed = results.failures();
  std::set<std::string> seen;
  for (IdentifiedPoint& identified : points) {
    const std::string id = identified.id;
    if (!seen.insert(id).second) {
      ++list.repeated;
      continue;
    }
    list.points.push_back(std::move(identified));
    list.states.push_back(there.contains(id)    ? PointState::There
                          : failed.contains(id) ? PointState::Failed
                                                : PointState::Missing);
    if (list.states.back() == PointState::Failed) list.causes[id] = read_failure(results.failure(id)).cause;
  }
  return list;
}

std::optional<double> estimate(const PointList& list, const std::vector<std::size_t>& points, const RunHistory& history,
                               unsigned jobs) {
  double sum = 0;
  for (const std::size_t i : points) {
    const std::optional<double> seconds = history.seconds(list.points[i].point);
    if (!seconds) return std::nullopt;
    sum += *seconds;
  }
  return sum / std::max(1.0, std::min<double>(jobs, static_cast<double>(points.size())));
}

std::string duration_text(double seconds) {
  if (seconds < 1) return "less than 1 s";
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  return seconds < 6000 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace warpfork::sweep
