#include "x86/uop_builder.h"

#include <algorithm>

#include "base/error.h"

namespace warpfork::x86 {

namespace {

constexpr unsigned kWidestAccess = 32;

UopWidth width_of(unsigned bytes) {
  if (bytes <= 8) return UopWidth::Scalar;
  return bytes <= 16 ? UopWidth::Sse : UopWidth::Avx;
}

}  // namespace

void RegisterList::add(RegisterId id) {
  if (!contains(id)) ids_.push_back(id);
}

bool RegisterList::contains(RegisterId id) const { return std::ranges::find(ids_, id) != ids_.end(); }

std::uint8_t UopBuilder::access(const MemoryPlace& place, bool store) {
  out_.accesses.push_back({.store = store,
                           .masked = place.masked,
                           .bytes = static_cast<std::uint8_t>(std::min(place.bytes, kWidestAccess))});
  return static_cast<std::uint8_t>(out_.accesses.size() - 1);
}

void UopBuilder::load(const MemoryPlace& place, std::optional<RegisterId> destination) {
  const std::uint8_t index = access(place, false);
  RegisterList destinations;
  if (destination) destinations.add(*destination);
  operation(UopKind::Load, width_of(place.bytes), place.address, destinations);
  accesses(index, place.address.size());
}

void UopBuilder::store(const MemoryPlace& place, const RegisterList& data) {
  const std::uint8_t index = access(place, true);
  RegisterList sources = place.address;
  sources.add(data);
  operation(UopKind::Store, width_of(place.bytes), sources, {});
  accesses(index, place.address.size());
}

void UopBuilder::accesses(std::uint8_t index, std::size_t address_count) {
  out_.uops.back().access = index;
  out_.uops.back().address_count = static_cast<std::uint8_t>(address_count);
}

void UopBuilder::operation(UopKind kind, UopWidth width, RegisterList sources, const RegisterList& destinations) {
  Uop uop{.kind = kind, .width = width};
  while (sources.size() > uop.sources.size()) {
    constexpr RegisterId joined = kTemporary + 1;
    const auto fourth = sources.begin() + 4;
    RegisterList first, rest{joined};
    first.add(std::vector<RegisterId>(sources.begin(), fourth));
    rest.add(std::vector<RegisterId>(fourth, sources.end()));
    const bool accesses = kind == UopKind::Load || kind == UopKind::Store;
    operation(accesses ? UopKind::IntegerAlu : kind, width, first, {joined});
    sources = rest;
  }
  check(destinations.size() <= uop.destinations.size(), [] { return "a µop with more than two destinations"; });
  uop.source_count = static_cast<std::uint8_t>(sources.size());
  uop.destination_count = static_cast<std::uint8_t>(destinations.size());
  std::ranges::copy(sources, uop.sources.begin());
  std::ranges::copy(destinations, uop.destinations.begin());
  out_.uops.push_back(uop);
}

}  // namespace warpfork::x86
