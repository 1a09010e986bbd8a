#include "simulation/cpu_result.h"

#include "config/description.h"
#include "process/version.h"
#include "report/record_json.h"

namespace warpfork::simulation {

using report::Json;

Json CpuResult::totals() const {
  Json totals = report::to_json(counts, report::Extent::Result);
  totals["energy"] = energy.to_json();
  totals["area"] = area.to_json();
  return totals;
}

Json CpuResult::document() const {
  const report::Tool by = process::tool();
  return {{"schema", 1},
          {"warpfork", {{"version", by.version}, {"commit", by.commit}}},
          {"core", core},
          {"machine", config::to_json(machine)},
          {"recording",
           {{"program", recording.program},
            {"arguments", recording.arguments},
            {"region", recording.region},
            {"limit", recording.limit},
            {"threads", threads},
            {"instructions", instructions},
            {"spinning", spinning}}},
          {"totals", totals()}};
}

}  // namespace warpfork::simulation
