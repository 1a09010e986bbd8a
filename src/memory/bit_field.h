// Bit fields of an address that need not be contiguous, such as the bank bits of a DRAM address mapping.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace warpfork::memory {

constexpr std::uint64_t bit(unsigned number) { return std::uint64_t{1} << number; }

/// The bits of a mask taken as one number, lowest bit first, and put back again.
class BitField {
 public:
  explicit BitField(std::uint64_t mask) {
    unsigned to = 0;
    while (mask != 0) {
      const unsigned from = static_cast<unsigned>(std::countr_zero(mask));
      const unsigned length = static_cast<unsigned>(std::countr_one(mask >> from));
      const std::uint64_t ones = length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
      runs_.push_back({ones, from, to});
      to += length;
      mask &= ~(ones << from);
    }
  }
  std::uint64_t gather(std::uint64_t address) const {
    std::uint64_t value = 0;
    for (const Run& run : runs_) value |= (address >> run.from & run.ones) << run.to;
    return value;
  }
  std::uint64_t scatter(std::uint64_t value) const {
    std::uint64_t address = 0;
    for (const Run& run : runs_) address |= (value >> run.to & run.ones) << run.from;
    return address;
  }

 private:
  struct Run {
    std::uint64_t ones;
    unsigned from, to;
  };
  std::vector<Run> runs_;
};

}  // namespace warpfork::memory
