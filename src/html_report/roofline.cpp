#include "html_report/roofline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace warpfork::html_report {

namespace {

using report::Json;

double number(const Json& document, const char* path) { return document.at(Json::json_pointer(path)).get<double>(); }

double burst_bytes(const Run& run) { return number(run.machine, "/memory/dram/burst_bytes"); }

bool has_lanes_side_by_side(const Json& machine) {
  return machine.at("core").at("lanes").at("organisation").get<std::string>().starts_with("simt");
}

}  // namespace

std::optional<Roof> roof_of(const Run& run) {
  if (run.is_cpu || !run.machine.is_object()) return {};
  const Json& machine = run.machine;
  const double issued = number(machine, "/core/schedulers") * number(machine, "/core/warp_size") /
                        machine.at("core").value("issue_interval", 1.0);  // version 0.1.0 wrote none
  const double of_core =
      has_lanes_side_by_side(machine) ? issued : std::min(issued, number(machine, "/core/lanes/alus"));
  const double of_channel = burst_bytes(run) / number(machine, "/memory/dram/burst_cycles") *
                            number(machine, "/memory/clock/dram_mhz") / number(machine, "/memory/clock/core_mhz");
  return Roof{number(machine, "/cores") * of_core, number(machine, "/memory/mapping/channels") * of_channel};
}

std::optional<RooflinePoint> roofline_point(const Run& run) {
  if (!roof_of(run) || !run.totals.contains("dram") || run.totals.value("cycles", 0.0) == 0) return {};
  const Json& dram = run.totals.at("dram");
  const double bytes = (dram.at("reads").get<double>() + dram.at("writes").get<double>()) * burst_bytes(run);
  if (bytes == 0) return {};
  const double instructions = run.totals.at("thread_instructions").get<double>();
  return RooflinePoint{instructions / bytes, instructions / run.totals.at("cycles").get<double>()};
}

}  // namespace warpfork::html_report
