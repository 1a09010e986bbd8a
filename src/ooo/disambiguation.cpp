#include "ooo/disambiguation.h"

#include <array>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace warpfork::ooo {

namespace {

constexpr std::array kDisambiguations{
    DisambiguationEntry{"perfect", "a load waits for the store that it takes its data from", Disambiguation::Perfect},
    DisambiguationEntry{"addresses", "and until the addresses of its threads' older stores are known",
                        Disambiguation::Addresses},
    DisambiguationEntry{"stores", "a load waits for all of its threads' older stores", Disambiguation::Stores},
};

}  // namespace

std::span<const DisambiguationEntry> disambiguations() { return kDisambiguations; }

Disambiguation find_disambiguation(std::string_view name) {
  for (const DisambiguationEntry& entry : kDisambiguations)
    if (entry.name == name) return entry.value;
  std::vector<std::string> names;
  for (const DisambiguationEntry& entry : kDisambiguations) names.emplace_back(entry.name);
  throw Error("error: {}", no_such_name("disambiguation", name, "choices", names));
}

}  // namespace warpfork::ooo
