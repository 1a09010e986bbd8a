// The launches of the published example, as records.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/launch_json.h"

namespace warpfork::report {

inline Json example() { return Json::parse(std::ifstream("tests/data/report/result.json")); }

/// An element of `launches` in a result, with what results do not say of it.
inline LaunchRecord launch_of(Json launch) {
  const auto lane_slots = [&](const Json& counts) {
    return counts.at("warp_instructions").get<std::uint64_t>() * launch.at("warp_size").get<std::uint64_t>();
  };
  launch["timed"] = launch.at("mode") == "timing";
  launch["lane_slots"] = lane_slots(launch);
  if (launch["timed"] == false) return launch_from(launch);
  Json& paths = launch["divergent_paths"];
  paths["lane_slots"] = lane_slots(paths);
  Json& occupancy = launch["occupancy"];
  occupancy["core_cycles"] = 100;
  occupancy["warp_cycles"] = static_cast<std::uint64_t>(occupancy.at("mean_warps").get<double>() * 100);
  for (Json& branch : launch["branches"])
    branch["places"] =
        static_cast<std::uint64_t>(branch.at("mean_splits").get<double>() * branch.at("executions").get<double>());
  return launch_from(launch);
}

inline std::vector<LaunchRecord> example_launches() {
  const Json document = example();
  std::vector<LaunchRecord> launches;
  for (const Json& launch : document.at("launches")) launches.push_back(launch_of(launch));
  return launches;
}

}  // namespace warpfork::report
