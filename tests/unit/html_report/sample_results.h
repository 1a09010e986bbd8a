// Results as commands write them, cut down to what a test needs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "html_report/run.h"

namespace warpfork::html_report {

using report::Json;

inline Json gpu_machine(const std::string& mechanism) {
  return Json::parse(R"({"name": "gtx480", "cores": 15,
    "core": {"warp_size": 32, "schedulers": 2, "lanes": {"organisation": "simt", "alus": 32}},
    "memory": {"clock": {"core_mhz": 700, "dram_mhz": 924}, "mapping": {"channels": 6},
               "dram": {"burst_bytes": 64, "burst_cycles": 2}},
    "divergence": {"mechanism": ")" +
                     mechanism + R"("}})");
}

inline Json gpu_result(const std::string& program, const std::string& mechanism, std::uint64_t cycles) {
  return {{"schema", 1},
          {"machine", gpu_machine(mechanism)},
          {"program", {{"kind", "cuda"}, {"name", program}, {"arguments", Json::array()}}},
          {"launches", Json::array()},
          {"totals", {{"cycles", cycles}}}};
}

inline RunResult gpu_run(const std::string& program, const std::string& mechanism, std::uint64_t cycles) {
  return {"results.json", gpu_result(program, mechanism, cycles), nullptr};
}

}  // namespace warpfork::html_report
