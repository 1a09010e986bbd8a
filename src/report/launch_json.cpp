#include "report/launch_json.h"

#include "report/record_json.h"

namespace warpfork::report {

Json to_json(const LaunchRecord& launch) { return to_json(launch, Extent::Result); }

Json to_json(const LaunchTotals& totals) { return to_json(totals, Extent::Sums); }

Json state_of(const LaunchRecord& launch) { return to_json(launch, Extent::State); }

LaunchRecord launch_from(const Json& state) {
  LaunchRecord launch;
  launch.visit(JsonReader(state));
  return launch;
}

}  // namespace warpfork::report
