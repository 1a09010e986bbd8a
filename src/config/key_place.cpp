#include "config/key_place.h"

#include "config/text_file.h"
#include "config/toml_text.h"

namespace warpfork::config {

std::optional<std::string> place_of_key(const std::filesystem::path& file, std::string_view path) {
  const std::string name = file.string();
  const toml::table table = parse_toml(read_text(file), name);
  const auto node = table.at_path(path);
  if (!node) return {};
  return place(name, node.node()->source());
}

}  // namespace warpfork::config
