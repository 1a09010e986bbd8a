#include "sweep/why.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "sweep/failure.h"

namespace warpfork::sweep {

namespace {

using report::Json;

std::string id_of(const PointList* list, const ResultFolder& results, const std::string& given) {
  std::string digits = given;
  if (given.ends_with(".json")) digits = std::filesystem::path(given).stem();
  std::set<std::string> ids = results.points();
  ids.merge(results.failures());
  if (list)
    for (const IdentifiedPoint& point : list->points) ids.insert(point.id);
  std::vector<std::string> found;
  for (auto id = ids.lower_bound(digits); id != ids.end() && id->starts_with(digits); ++id) found.push_back(*id);
  if (found.empty() || digits.empty())
    throw Error("there is no point '{}', {} {}\n  `warpfork sweep PLAN --dry-run` lists them", given,
                list ? "neither in the plan nor in" : "in", results.path().string());
  if (found.size() > 1) throw Error("'{}' could be any of {} points: {}, {}…", given, found.size(), found[0], found[1]);
  return found[0];
}

std::string parts_text(const Json& request) {
  const Json& program = request.at("program");
  const Json& machine = request.at("machine");
  std::string text =
      fmt::format("  program    {}  sha256 {}\n", std::string(program.at("file")), std::string(program.at("sha256")));
  for (const Json& argument : request.at("arguments")) text += fmt::format("  argument   {}\n", std::string(argument));
  for (const Json& input : request.at("inputs"))
    text += fmt::format("  input      {}  sha256 {}\n", std::string(input.at("name")), std::string(input.at("sha256")));
  text +=
      fmt::format("  machine    {}  sha256 {}\n", std::string(machine.at("name")), std::string(machine.at("sha256")));
  for (const Json& assignment : request.at("overrides"))
    text += fmt::format("             {}\n", std::string(assignment));
  return text + fmt::format("  options    {}\n  simulator  {}\n", request.at("options").dump(),
                            request.at("simulator").dump());
}

/// The parts of two points that are not the same, by the keys of their documents.
std::vector<std::string> differences(const Json& one, const Json& other) {
  std::vector<std::string> keys;
  for (const char* key : {"program", "machine"})
    if (one.at(key).at("sha256") != other.at(key).at("sha256")) keys.emplace_back(key);
  for (const char* key : {"arguments", "inputs", "options", "simulator"})
    if (one.at(key) != other.at(key)) keys.emplace_back(key);
  if (one.value("groups", Json()) != other.value("groups", Json())) keys.emplace_back("groups of kernels");
  return keys;
}

/// Results of what the plan calls the same, from before something of it changed.
std::string predecessors(const IdentifiedPoint& point, const ResultFolder& results) {
  std::string text;
  for (const std::string& id : results.points()) {
    const Json other = results.point(id).at("point");
    if (id == point.id || other.at("label") != point.request.at("label")) continue;
    text +=
        fmt::format("{} in points/ was the same but for: {}\n", id, fmt::join(differences(point.request, other), ", "));
  }
  return text;
}

std::string failure_text(const Failure& failure) {
  return fmt::format("It failed: {}: {}\n{}A sweep runs it again only with --retry {}.\n", failure.cause,
                     failure.message, failure.log, failure.cause);
}

}  // namespace

std::string why(const PointList* list, const ResultFolder& results, const std::string& given) {
  const std::string id = id_of(list, results, given);
  const std::vector<IdentifiedPoint> none;
  const std::vector<IdentifiedPoint>& points = list ? list->points : none;
  const auto point = std::ranges::find(points, id, &IdentifiedPoint::id);
  const bool there = results.has_point(id), planned = point != points.end();
  const bool failed = !there && results.has_failure(id);
  const Json request = planned ? point->request : (there ? results.point(id) : results.failure(id)).at("point");
  std::string text = fmt::format("point {}: {}\n", id, std::string(request.at("label"))) + parts_text(request);
  if (list && !planned) text += "The plan as it is now does not have it: a sweep leaves it as it is.\n";
  if (there) return text + fmt::format("It is there, in {}: no sweep runs it.\n", (results.path() / "points").string());
  if (failed) return text + failure_text(read_failure(results.failure(id)));
  return text + "It is not there: a sweep runs it.\n" + predecessors(*point, results);
}

}  // namespace warpfork::sweep
