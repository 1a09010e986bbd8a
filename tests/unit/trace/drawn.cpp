#include "drawn.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace warpfork::trace {

using nlohmann::json;

namespace {

using Key = std::pair<unsigned, unsigned>;

/// What is open on a track, and how far it has come.
struct TrackState {
  std::uint64_t last = 0;
  std::uint64_t busy_until = 0;  // by a whole slice
  unsigned open = 0;
};

Key key_of(const json& event) { return {event.at("pid"), event.at("tid")}; }

std::string fault_on_track(const json& event, TrackState& track) {
  const std::string kind = event.at("ph");
  const std::uint64_t at = event.at("ts");
  if (at < track.last) return "goes back in time";
  track.last = at;
  if (kind != "i" && at < track.busy_until) return "begins or ends within a whole slice";
  if (kind == "B") ++track.open;
  if (kind == "E" && track.open-- == 0) return "ends what did not begin";
  if (kind == "X") track.busy_until = at + event.at("dur").get<std::uint64_t>();
  if (kind == "i" && event.at("s") != "t") return "is of no track";
  return "";
}

}  // namespace

void PrintTo(const Slice& slice, std::ostream* out) { *out << slice.name << ' ' << slice.from << '-' << slice.until; }

Drawn::Drawn(const json& document) : events_(document.at("traceEvents")) {}

Drawn Drawn::of_events(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return Drawn(json{{"traceEvents", json::parse("[" + text.str().substr(text.str().find('{')) + "]")}});
}

std::string Drawn::fault() const {
  std::map<Key, TrackState> tracks;
  for (const json& event : events_) {
    const std::string kind = event.at("ph");
    std::string fault;
    if (kind == "C")
      for (const json& value : event.at("args"))
        if (!value.is_number()) fault = "counts what is no number";
    if (std::string("BEXi").find(kind) != std::string::npos) {
      fault = fault_on_track(event, tracks[key_of(event)]);
      if (named(event, "thread_name").empty()) fault = "is on a track without a name";
    } else if (kind != "C" && kind != "M") {
      fault = "is of no known kind";
    }
    if (kind != "E" && !event.at("name").is_string()) fault = "has no name";
    if (kind != "M" && named(event, "process_name").empty()) fault = "is of a process without a name";
    if (!fault.empty()) return event.dump() + " " + fault;
  }
  for (const auto& [key, track] : tracks)
    if (track.open != 0) return fmt::format("track {} of process {} has an open slice", key.second, key.first);
  return "";
}

std::string Drawn::named(const json& event, const char* what) const {
  for (const json& other : events_)
    if (other.at("ph") == "M" && other.at("name") == what && other.at("pid") == event.at("pid") &&
        (std::string(what) == "process_name" || other.at("tid") == event.at("tid")))
      return other.at("args").at("name");
  return "";
}

std::vector<json> Drawn::on(const std::string& process, const std::string& track) const {
  std::map<Key, bool> is_meant;
  std::vector<json> found;
  for (const json& event : events_) {
    if (event.at("ph") == "M" || event.at("ph") == "C") continue;
    const auto [known, is_new] = is_meant.try_emplace(key_of(event), false);
    if (is_new) known->second = named(event, "process_name") == process && named(event, "thread_name") == track;
    if (known->second) found.push_back(event);
  }
  return found;
}

std::vector<Slice> Drawn::slices(const std::string& process, const std::string& track) const {
  std::vector<Slice> slices;
  std::vector<std::size_t> open;
  for (const json& event : on(process, track)) {
    const std::string kind = event.at("ph");
    const std::uint64_t at = event.at("ts");
    if (kind == "B") open.push_back(slices.size());
    if (kind == "B") slices.push_back({event.at("name"), at, 0});
    if (kind == "X") slices.push_back({event.at("name"), at, at + event.at("dur").get<std::uint64_t>()});
    if (kind != "E") continue;
    slices[open.back()].until = at;
    open.pop_back();
  }
  return slices;
}

std::vector<Slice> Drawn::instants(const std::string& process, const std::string& track) const {
  std::vector<Slice> instants;
  for (const json& event : on(process, track))
    if (event.at("ph") == "i") instants.push_back({event.at("name"), event.at("ts"), event.at("ts")});
  return instants;
}

json Drawn::event(const std::string& process, const std::string& track, const std::string& name) const {
  for (const json& event : on(process, track))
    if (event.value("name", "") == name) return event;
  throw std::runtime_error("there is no event " + name);
}

std::vector<json> Drawn::counter(const std::string& process, const std::string& name) const {
  std::vector<json> values;
  for (const json& event : events_)
    if (event.at("ph") == "C" && event.at("name") == name && named(event, "process_name") == process)
      values.push_back(event);
  return values;
}

}  // namespace warpfork::trace
