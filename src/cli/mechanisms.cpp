#include <fmt/format.h>

#include "cli/commands.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"

namespace warpfork::cli {

void add_mechanisms(Command& app, Session&) {
  app.add_command("mechanisms", "list the divergence mechanisms and lane organisations, a line each").when_named([] {
    fmt::print("--divergence: where divergent threads go and what may issue\n");
    for (const DivergenceMechanism& mechanism : divergence_mechanisms())
      fmt::print("  {:<14}  {}  [{}]\n", mechanism.name, mechanism.summary, mechanism.paper);
    fmt::print("--lanes: how a warp instruction occupies the arithmetic units\n");
    for (const gpu::LaneOrganisation& lanes : gpu::lane_organisations())
      fmt::print("  {:<14}  {}  [{}]\n", lanes.name, lanes.summary, lanes.paper);
  });
}

}  // namespace warpfork::cli
