#include "ooo/disambiguation.h"

#include <array>

#include "base/named.h"

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
  return find_named(kDisambiguations, name, "disambiguation", "choices").value;
}

}  // namespace warpfork::ooo
