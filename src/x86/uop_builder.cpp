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

void UopBuilder::load(const MemoryPlace& place, std::optional<RegisterId> destination) {
  RegisterList destinations;
  if (destination) destinations.add(*destination);
  access(UopKind::Load, place, place.address, destinations);
}

void UopBuilder::store(const MemoryPlace& place, const RegisterList& data) {
  RegisterList sources = place.address;
  sources.add(data);
  access(UopKind::Store, place, sources, {});
}

void UopBuilder::access(UopKind kind, const MemoryPlace& place, const RegisterList& sources,
                        const RegisterList& destinations) {
  operation(kind, width_of(place.bytes), sources, destinations);
  out_.uops.back().access = static_cast<std::uint8_t>(out_.accesses.size());
  out_.uops.back().address_count = static_cast<std::uint8_t>(place.address.size());
  out_.accesses.push_back({.store = kind == UopKind::Store,
                           .masked = place.masked,
                           .bytes = static_cast<std::uint8_t>(std::min(place.bytes, kWidestAccess))});
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
