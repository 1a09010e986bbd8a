// Which memory channel, L2 slice, DRAM bank and row an address belongs to (gtx480.md "Address mapping").
#pragma once

#include <cstdint>

#include "memory/bit_field.h"

namespace warpfork::memory {

struct AddressMappingSpec {
  unsigned channels = 8;
  unsigned slices_per_channel = 1;
  unsigned interleave_bytes = 256;
  std::uint64_t bank_mask = 0x7000;
  std::uint64_t row_mask = 0x0fff8000;

  template <class Visit>
  void visit(Visit&& v) {
    v("channels", channels, "memory channels; consecutive pieces go round them", {1, 64});
    v("slices_per_channel", slices_per_channel, "L2 slices of a channel, a power of two", {1, 64});
    v("interleave_bytes", interleave_bytes, "bytes that stay on one channel, a power of two", {128, 1 << 30});
    v("bank_mask", bank_mask,
      "bits of the address within the channel that name the bank; the lowest also name the slice");
    v("row_mask", row_mask, "bits of the address within the channel that name the DRAM row");
  }
};

/// Where a 128-byte line lives: the slice's number over the whole chip, and the line's number within the slice.
struct SliceLine {
  unsigned slice = 0;
  std::uint32_t line = 0;
};

struct DramLocation {
  unsigned bank = 0;
  std::uint32_t row = 0;
};

/// channel = (address div interleave) mod channels; the address within the channel has that digit taken out; the lowest
/// bank bits of it choose the slice and are taken out as well, so that slice and line together are the address.
class AddressMapping {
 public:
  static constexpr unsigned kLineBytes = 128;

  /// Throws Error for a description that contradicts itself.
  explicit AddressMapping(const AddressMappingSpec& spec);

  unsigned slices() const { return spec_.channels * spec_.slices_per_channel; }
  SliceLine locate(std::uint64_t address) const;
  /// Bank and row, within its channel, of a line of a slice.
  DramLocation dram(SliceLine at) const;
  /// The address of the line's first byte: the inverse of locate().
  std::uint64_t address(SliceLine at) const;

 private:
  std::uint64_t within_channel(SliceLine at) const;

  AddressMappingSpec spec_;
  unsigned interleave_shift_;
  BitField bank_, row_, slice_, rest_;
};

}  // namespace warpfork::memory
