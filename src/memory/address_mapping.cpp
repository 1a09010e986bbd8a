#include "memory/address_mapping.h"

#include <bit>
#include <limits>

#include "base/error.h"

namespace warpfork::memory {
namespace {

constexpr int kRowBits = std::numeric_limits<decltype(DramLocation::row)>::digits;

/// The lowest bits of the mask, as many as it takes to count the slices.
std::uint64_t slice_mask(const AddressMappingSpec& spec) {
  if (!std::has_single_bit(spec.slices_per_channel))
    throw Error("memory.mapping.slices_per_channel is {}; it must be a power of two", spec.slices_per_channel);
  std::uint64_t mask = 0;
  std::uint64_t rest = spec.bank_mask;
  for (unsigned n = spec.slices_per_channel; n > 1; n /= 2) {
    if (rest == 0)
      throw Error("memory.mapping.bank_mask is {:#x}, which has too few bits to choose a slice", spec.bank_mask);
    mask |= rest & -rest;
    rest &= rest - 1;
  }
  return mask;
}

}  // namespace

AddressMapping::AddressMapping(const AddressMappingSpec& spec)
    : spec_(spec),
      interleave_shift_(static_cast<unsigned>(std::countr_zero(spec.interleave_bytes))),
      bank_(spec.bank_mask),
      row_(spec.row_mask),
      slice_(slice_mask(spec)),
      rest_(~slice_mask(spec)) {
  if (spec.channels == 0) throw Error("memory.mapping.channels is 0; it must be at least 1");
  if (!std::has_single_bit(spec.interleave_bytes) || spec.interleave_bytes < kLineBytes)
    throw Error("memory.mapping.interleave_bytes is {}; it must be a power of two and at least {}",
                spec.interleave_bytes, kLineBytes);
  if ((spec.bank_mask | spec.row_mask) & (kLineBytes - 1) || spec.bank_mask & spec.row_mask)
    throw Error(
        "memory.mapping.bank_mask is {:#x} and memory.mapping.row_mask {:#x}; they must not overlap nor split a line "
        "of {} bytes",
        spec.bank_mask, spec.row_mask, kLineBytes);
  if (std::popcount(spec.row_mask) > kRowBits)
    throw Error("memory.mapping.row_mask is {:#x}, of {} bits; at most {} are supported", spec.row_mask,
                std::popcount(spec.row_mask), kRowBits);
}

SliceLine AddressMapping::locate(std::uint64_t address) const {
  const std::uint64_t piece = address >> interleave_shift_;
  const std::uint64_t within = piece / spec_.channels << interleave_shift_ | (address & (spec_.interleave_bytes - 1));
  const auto channel = static_cast<unsigned>(piece % spec_.channels);
  const auto slice = static_cast<unsigned>(slice_.gather(within));
  const std::uint64_t line = rest_.gather(within) / kLineBytes;
  check(line <= std::numeric_limits<std::uint32_t>::max(),
        [&] { return fmt::format("memory: address {:#x} is beyond what the L2's tags can name", address); });
  return {channel * spec_.slices_per_channel + slice, static_cast<std::uint32_t>(line)};
}

DramLocation AddressMapping::dram(SliceLine at) const {
  const std::uint64_t within = within_channel(at);
  return {static_cast<unsigned>(bank_.gather(within)), static_cast<std::uint32_t>(row_.gather(within))};
}

std::uint64_t AddressMapping::address(SliceLine at) const {
  const std::uint64_t within = within_channel(at);
  const std::uint64_t piece = (within >> interleave_shift_) * spec_.channels + at.slice / spec_.slices_per_channel;
  return piece << interleave_shift_ | (within & (spec_.interleave_bytes - 1));
}

std::uint64_t AddressMapping::within_channel(SliceLine at) const {
  return rest_.scatter(std::uint64_t{at.line} * kLineBytes) | slice_.scatter(at.slice % spec_.slices_per_channel);
}

}  // namespace warpfork::memory
