#include "divergence/plugin.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/error.h"

namespace warpfork {

namespace {

constexpr const char* kEntry = "warpfork_divergence_plugin";

const DivergenceMechanism& load(const std::string& file) {
  // A path, never a name that the loader looks for elsewhere.
  void* const library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Error("WARPFORK_PLUGINS: {}", dlerror());
  const auto entry = reinterpret_cast<const DivergencePlugin* (*)()>(dlsym(library, kEntry));
  if (entry == nullptr)
    throw Error(
        "WARPFORK_PLUGINS: {} is no plugin: it has no {}()\n  a plugin says WARPFORK_DIVERGENCE_PLUGIN(mechanism)",
        file, kEntry);
  const DivergencePlugin& plugin = *entry();
  if (plugin.interface != PluginInterface{})
    throw Error("WARPFORK_PLUGINS: {} was built for another warpfork\n  build it anew against this one's headers",
                file);
  return *plugin.mechanism;
}

}  // namespace

std::vector<std::string> plugin_files() {
  const char* const named = std::getenv("WARPFORK_PLUGINS");
  std::istringstream list(named != nullptr ? named : "");
  std::vector<std::string> files;
  for (std::string file; std::getline(list, file, ':');)
    if (!file.empty()) files.push_back(file);
  return files;
}

std::vector<DivergenceMechanism> load_plugins(const std::vector<std::string>& files) {
  std::vector<DivergenceMechanism> mechanisms;
  for (const std::string& file : files) mechanisms.push_back(load(file));
  return mechanisms;
}

}  // namespace warpfork
