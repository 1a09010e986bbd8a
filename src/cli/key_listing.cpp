#include "cli/key_listing.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpfork::cli {

namespace {

constexpr std::size_t kWidestPair = 48;  // a longer one pushes its own comment only

}  // namespace

void print_keys(const std::vector<config::Key>& keys) {
  std::size_t width = 0;
  for (const config::Key& key : keys) width = std::max(width, key.path.size() + 3 + key.value.size());
  width = std::min(width, kWidestPair);
  for (const config::Key& key : keys)
    fmt::print("{:<{}}  # {}\n", fmt::format("{} = {}", key.path, key.value), width, key.doc);
}

}  // namespace warpfork::cli
