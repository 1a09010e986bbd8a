#include <fmt/format.h>

#include "base/wrapped.h"
#include "cli/commands.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"

namespace warpfork::cli {

namespace {

void print(std::string_view name, std::string_view summary, std::string_view paper) {
  fmt::print("{}",
             wrapped(fmt::format("{} [{}]", summary, paper), fmt::format("  {:<14}  ", name), "                  "));
}

}  // namespace

void add_mechanisms(Command& app, Session&) {
  app.add_command("mechanisms", "list the divergence mechanisms and lane organisations").when_named([] {
    fmt::print("--divergence: where divergent threads go and what may issue\n");
    for (const DivergenceMechanism& mechanism : divergence_mechanisms())
      print(mechanism.name, mechanism.summary, mechanism.paper);
    fmt::print("--lanes: how a warp instruction occupies the arithmetic units\n");
    for (const gpu::LaneOrganisation& lanes : gpu::lane_organisations()) print(lanes.name, lanes.summary, lanes.paper);
  });
}

}  // namespace warpfork::cli
