// Divergence mechanisms from outside: what a shared library exports to add one, and how it is loaded.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "divergence/registry.h"

namespace warpfork {

/// What a plugin was built against. A plugin and the program must agree on every size, since they share these objects.
struct PluginInterface {
  unsigned number = 6;  // of what the sizes do not show
  std::size_t mechanism = sizeof(DivergenceMechanism), domain = sizeof(DivergenceDomain), split = sizeof(WarpSplit),
              effects = sizeof(DomainEffects), spec = sizeof(DivergenceSpec);
  bool operator==(const PluginInterface&) const = default;
};

struct DivergencePlugin {
  PluginInterface interface;
  const DivergenceMechanism* mechanism;
};

/// Exports the mechanism, a DivergenceMechanism that lives as long as the library. Once in a plugin, outside of any
/// namespace.
#define WARPFORK_DIVERGENCE_PLUGIN(mechanism)                                 \
  extern "C" const warpfork::DivergencePlugin* warpfork_divergence_plugin() { \
    static const warpfork::DivergencePlugin plugin{{}, &(mechanism)};         \
    return &plugin;                                                           \
  }

/// The shared libraries that the environment's WARPFORK_PLUGINS names, parted by colons as in PATH. The programs that
/// we start see them as well: the environment is theirs, too.
std::vector<std::string> plugin_files();

/// The mechanisms of these libraries. Throws Error, with file, cause and remedy, for
/// one that cannot be loaded, is no plugin or was built for another warpfork. Libraries stay loaded.
std::vector<DivergenceMechanism> load_plugins(const std::vector<std::string>& files);

}  // namespace warpfork
