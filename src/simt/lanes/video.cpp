// PTX ISA, "Video Instructions": arithmetic on bytes and halves of registers, of one (vadd … vset) or of all of them
// side by side (vadd2 … vset4).
//
// Operands: [0] destination, [1] to [3] sources; where there is no third, [3] is the first once more. What is computed
// is exact until it is saturated or its lowest bits are kept: the ISA's intermediate results have 34 bits, and do not
// overflow but for left shifts, of which it does not say what becomes of the bits beyond.
#include <algorithm>
#include <bit>
#include <functional>

#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"
#include "simt/lanes/video_mode.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using std::int32_t;
using std::int64_t;
using std::uint32_t;
using std::uint64_t;
using Product = __int128;  // and a sum

struct Sum {
  template <typename T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct Difference {
  template <typename T>
  static T apply(T a, T b) {
    return a - b;
  }
};
struct Distance {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? b - a : a - b;
  }
};
/// Halves are rounded away from zero.
struct Average {
  template <typename T>
  static T apply(T a, T b) {
    return (a + b + (a + b >= 0)) >> 1;
  }
};
struct Minimum {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct Maximum {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};
template <typename Relation>
struct Comparison {
  template <typename T>
  static T apply(T a, T b) {
    return Relation{}(a, b);
  }
};

template <bool Wraps>
int64_t shift_amount(int64_t b) {
  return Wraps ? b & 31 : Minimum::apply<int64_t>(b, 32);
}
template <bool Wraps>
struct LeftShift {
  static int64_t apply(int64_t a, int64_t b) {
    const int64_t amount = shift_amount<Wraps>(b);
    // 33 bits shifted by 32 are too many; those of one leave the same low bits and are as much out of any range.
    const int64_t kept = amount < 32 ? a : std::clamp<int64_t>(a, -1, 1);
    return static_cast<int64_t>(static_cast<uint64_t>(kept) << amount);
  }
};
template <bool Wraps>
struct RightShift {
  static int64_t apply(int64_t a, int64_t b) { return a >> shift_amount<Wraps>(b); }
};

/// Bits of a register, as the number that they are.
class Part {
 public:
  Part(unsigned shift, unsigned bits, bool is_signed)
      : shift_(shift), ones_((uint64_t{1} << bits) - 1), sign_(is_signed ? int64_t{1} << (bits - 1) : 0) {}
  int64_t of(uint32_t whole) const {
    return static_cast<int64_t>((uint64_t{whole} >> shift_ & ones_) ^ static_cast<uint64_t>(sign_)) - sign_;
  }

 private:
  unsigned shift_;
  uint64_t ones_;
  int64_t sign_;
};

/// From what number to what number results go; where they are not saturated, any.
template <typename T>
struct Bounds {
  Bounds(unsigned bits, std::uint16_t flags) {
    if ((flags & VideoFlags::kSaturates) == 0) return;
    const bool is_signed = (flags & VideoFlags::kSignedResult) != 0;
    least = is_signed ? -(T{1} << (bits - 1)) : 0;
    most = (T{1} << (is_signed ? bits - 1 : bits)) - 1;
  }
  T apply(T value) const { return Minimum::apply(Maximum::apply(value, least), most); }

  T least = T{1} << (8 * sizeof(T) - 1), most = ~least;
};

int64_t combined(int64_t result, int64_t third, std::uint16_t flags) {
  if (flags & VideoFlags::kAdds)  // of which only low bits are kept
    return static_cast<int64_t>(static_cast<uint64_t>(result) + static_cast<uint64_t>(third));
  if (flags & VideoFlags::kMinimum) return Minimum::apply(result, third);
  return flags & VideoFlags::kMaximum ? Maximum::apply(result, third) : result;
}

/// One value, that goes to its part of the third source or is combined with it.
template <typename Op>
void scalar_video(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const auto mode = std::bit_cast<ScalarVideoMode>(instruction.immediate);
  const auto has = [&](std::uint16_t flag) { return (mode.flags & flag) != 0; };
  const Part part_a(mode.a_shift, mode.a_bits, has(VideoFlags::kSignedA));
  const Part part_b(mode.b_shift, mode.b_bits, has(VideoFlags::kSignedB));
  const Part whole(0, 32, has(VideoFlags::kSignedResult));
  const Bounds<int64_t> bounds(mode.result_bits, mode.flags);
  const auto written = static_cast<uint32_t>((uint64_t{1} << mode.result_bits) - 1) << mode.result_shift;
  const Row<uint32_t> a(warp.registers + instruction.operand[1]), b(warp.registers + instruction.operand[2]);
  const Row<uint32_t> c(warp.registers + instruction.operand[3]);
  for_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned lane) {
    const int64_t first = bounds.apply(Op::apply(part_a.of(a[lane]), part_b.of(b[lane])));
    const auto result = static_cast<uint32_t>(combined(first, whole.of(c[lane]), mode.flags));
    return (result << mode.result_shift & written) | (c[lane] & ~written);
  });
}

/// a · b + c, scaled and saturated. The result, and c if the product is negated or has a signed factor, are signed as
/// the operands say, whatever the first type.
void multiply_add(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const auto mode = std::bit_cast<ScalarVideoMode>(instruction.immediate);
  const auto has = [&](std::uint16_t flag) { return (mode.flags & flag) != 0; };
  const bool is_signed_product =
      has(VideoFlags::kSignedA) || has(VideoFlags::kSignedB) || has(VideoFlags::kNegatesProduct);
  const Part part_a(mode.a_shift, mode.a_bits, has(VideoFlags::kSignedA));
  const Part part_b(mode.b_shift, mode.b_bits, has(VideoFlags::kSignedB));
  const Part whole(0, 32, is_signed_product);
  const Product sign = has(VideoFlags::kNegatesProduct) ? -1 : 1, third_sign = has(VideoFlags::kNegatesThird) ? -1 : 1;
  const int shift = has(VideoFlags::kShiftsBy7) ? 7 : has(VideoFlags::kShiftsBy15) ? 15 : 0;
  const Bounds<Product> bounds(32, mode.flags);
  const Row<uint32_t> a(warp.registers + instruction.operand[1]), b(warp.registers + instruction.operand[2]);
  const Row<uint32_t> c(warp.registers + instruction.operand[3]);
  for_active_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned lane) {
    const Product product = sign * part_a.of(a[lane]) * part_b.of(b[lane]);
    const Product sum = product + third_sign * whole.of(c[lane]) + (has(VideoFlags::kPlusOne) ? 1 : 0);
    return static_cast<uint32_t>(bounds.apply(sum >> shift));
  });
}

/// Halves or bytes, that go to their places in the third source or are added to it.
template <unsigned Bits, typename Op>
void simd_video(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  constexpr uint32_t kOnes = (uint32_t{1} << Bits) - 1;
  const auto mode = std::bit_cast<SimdVideoMode>(instruction.immediate);
  const auto sign = [&](std::uint16_t flag) { return (mode.flags & flag) != 0 ? int32_t{1} << (Bits - 1) : 0; };
  const int32_t sign_a = sign(VideoFlags::kSignedA), sign_b = sign(VideoFlags::kSignedB);
  const bool adds = (mode.flags & VideoFlags::kAdds) != 0;
  const Bounds<int32_t> bounds(Bits, mode.flags);
  const Row<uint32_t> a(warp.registers + instruction.operand[1]), b(warp.registers + instruction.operand[2]);
  const Row<uint32_t> c(warp.registers + instruction.operand[3]);
  const auto number = [](uint64_t both, unsigned parts, unsigned i, int32_t sign_bit) {
    const unsigned place = parts >> (SimdVideoMode::kPartBits * i) & 7;
    return (static_cast<int32_t>(both >> (Bits * place) & kOnes) ^ sign_bit) - sign_bit;
  };
  for_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned lane) {
    const uint64_t both = uint64_t{b[lane]} << 32 | a[lane];
    uint32_t merged = c[lane], sum = c[lane];
    for (unsigned i = 0; i < 32 / Bits; ++i) {
      const auto result = static_cast<uint32_t>(
          bounds.apply(Op::apply(number(both, mode.a, i, sign_a), number(both, mode.b, i, sign_b))));
      const uint32_t taken = 0u - (mode.written >> i & 1u);
      const uint32_t place = kOnes << (Bits * i) & taken;
      merged = (merged & ~place) | (result << (Bits * i) & place);
      sum += result & taken;
    }
    return adds ? sum : merged;
  });
}

template <typename Op>
struct Scalar {
  static constexpr Handler kHandler = scalar_video<Op>;
};
template <typename Op>
struct Pair {
  static constexpr Handler kHandler = simd_video<16, Op>;
};
template <typename Op>
struct Quad {
  static constexpr Handler kHandler = simd_video<8, Op>;
};

template <template <typename> class Form>
Handler select_comparison(const Operation& operation) {
  if (operation.has(Modifier::Eq)) return Form<Comparison<std::equal_to<>>>::kHandler;
  if (operation.has(Modifier::Ne)) return Form<Comparison<std::not_equal_to<>>>::kHandler;
  if (operation.has(Modifier::Lt)) return Form<Comparison<std::less<>>>::kHandler;
  if (operation.has(Modifier::Le)) return Form<Comparison<std::less_equal<>>>::kHandler;
  if (operation.has(Modifier::Gt)) return Form<Comparison<std::greater<>>>::kHandler;
  return Form<Comparison<std::greater_equal<>>>::kHandler;
}

template <template <bool> class Shift>
Handler select_shift(const Operation& operation) {
  return operation.has(Modifier::Wrap) ? scalar_video<Shift<true>> : scalar_video<Shift<false>>;
}

}  // namespace

#define WARPFORK_FORMS(name, Op) \
  case Opcode::name:             \
    return Scalar<Op>::kHandler; \
    WARPFORK_SIMD_FORMS(name, Op)
#define WARPFORK_SIMD_FORMS(name, Op) \
  case Opcode::name##2:               \
    return Pair<Op>::kHandler;        \
  case Opcode::name##4:               \
    return Quad<Op>::kHandler;

Handler select_video(const Operation& operation) {
  switch (operation.instruction.opcode) {
    WARPFORK_FORMS(Vadd, Sum)
    WARPFORK_FORMS(Vsub, Difference)
    WARPFORK_FORMS(Vabsdiff, Distance)
    WARPFORK_FORMS(Vmin, Minimum)
    WARPFORK_FORMS(Vmax, Maximum)
    WARPFORK_SIMD_FORMS(Vavrg, Average)
    case Opcode::Vset:
      return select_comparison<Scalar>(operation);
    case Opcode::Vset2:
      return select_comparison<Pair>(operation);
    case Opcode::Vset4:
      return select_comparison<Quad>(operation);
    case Opcode::Vshl:
      return select_shift<LeftShift>(operation);
    case Opcode::Vshr:
      return select_shift<RightShift>(operation);
    case Opcode::Vmad:
      return multiply_add;
    default:
      return nullptr;
  }
}
#undef WARPFORK_FORMS
#undef WARPFORK_SIMD_FORMS

}  // namespace warpfork::simt::WARPFORK_LANES
