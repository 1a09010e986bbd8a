#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/wrapped.h"
#include "cli/commands.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"

namespace warpfork::cli {

namespace {

template <class All>
void print(std::string_view heading, const All& all, std::size_t width) {
  fmt::print("{}\n", heading);
  for (const auto& one : all)
    fmt::print("{}", wrapped(fmt::format("{} [{}]", one.summary, one.paper), fmt::format("  {:<{}}  ", one.name, width),
                             std::string(width + 4, ' ')));
}

template <class All>
std::size_t width_of(const All& all) {
  std::size_t width = 0;
  for (const auto& one : all) width = std::max(width, one.name.size());
  return width;
}

}  // namespace

void add_mechanisms(Command& app, Session&) {
  app.add_command("mechanisms", "list the divergence mechanisms and lane organisations").when_named([] {
    const auto divergence = divergence_mechanisms();  // before anything is printed: a plugin may be at fault
    const auto lanes = gpu::lane_organisations();
    const std::size_t width = std::max(width_of(divergence), width_of(lanes));
    print("--divergence: where divergent threads go and what may issue", divergence, width);
    print("--lanes: how a warp instruction occupies the arithmetic units", lanes, width);
  });
}

}  // namespace warpfork::cli
