// The set of lanes of one warp: the active mask of SIMT execution.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace warpfork {

/// Largest warp any machine may describe; an ActiveMask has one bit per lane.
inline constexpr unsigned kMaxWarpSize = 32;

/// A set of lanes, bit i = lane i. A value type of four bytes.
class ActiveMask {
 public:
  constexpr ActiveMask() = default;
  constexpr explicit ActiveMask(std::uint32_t bits) : bits_(bits) {}

  /// Lanes 0 … count − 1; count is at most kMaxWarpSize.
  static constexpr ActiveMask first(unsigned count) {
    return ActiveMask(count >= kMaxWarpSize ? ~0u : (1u << count) - 1u);
  }
  static constexpr ActiveMask lane(unsigned lane) { return ActiveMask(1u << lane); }

  constexpr std::uint32_t bits() const { return bits_; }
  constexpr unsigned count() const {
    // Without -mpopcnt, which a binary for every x86-64 cannot use, std::popcount is a library call.
    std::uint32_t bits = bits_ - (bits_ >> 1 & 0x55555555u);
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    return ((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
  }
  constexpr bool any() const { return bits_ != 0; }
  constexpr bool none() const { return bits_ == 0; }
  constexpr bool full() const { return bits_ == ~0u; }
  constexpr bool contains(unsigned lane) const { return (bits_ >> lane) & 1u; }
  constexpr bool contains(ActiveMask other) const { return (other.bits_ & ~bits_) == 0; }
  constexpr bool intersects(ActiveMask other) const { return (bits_ & other.bits_) != 0; }
  /// The lowest lane of a mask that is not empty.
  constexpr unsigned lowest() const { return static_cast<unsigned>(std::countr_zero(bits_)); }

  constexpr ActiveMask operator|(ActiveMask other) const { return ActiveMask(bits_ | other.bits_); }
  constexpr ActiveMask operator&(ActiveMask other) const { return ActiveMask(bits_ & other.bits_); }
  /// Lanes of this mask that are not in the other one.
  constexpr ActiveMask operator-(ActiveMask other) const { return ActiveMask(bits_ & ~other.bits_); }
  constexpr ActiveMask& operator|=(ActiveMask other) { return *this = *this | other; }
  constexpr ActiveMask& operator&=(ActiveMask other) { return *this = *this & other; }
  constexpr ActiveMask& operator-=(ActiveMask other) { return *this = *this - other; }
  constexpr bool operator==(const ActiveMask&) const = default;

  /// Calls visit(lane) for every lane in ascending order.
  template <typename Visit>
  constexpr void for_each(Visit&& visit) const {
    for (std::uint32_t rest = bits_; rest != 0; rest &= rest - 1) visit(static_cast<unsigned>(std::countr_zero(rest)));
  }

  /// As the papers print masks: `width` digits, lane 0 rightmost, e.g. "0101".
  std::string to_string(unsigned width = kMaxWarpSize) const {
    std::string text(width, '0');
    for (unsigned i = 0; i < width; ++i)
      if (contains(i)) text[width - 1 - i] = '1';
    return text;
  }

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace warpfork
