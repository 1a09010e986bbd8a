// PTX ISA, "cvt" and "cvt.pack", of several values in one register.
#include <algorithm>
#include <limits>

#include "simt/lanes/byte_float.h"
#include "simt/lanes/half.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/scale_float.h"
#include "simt/lanes/select.h"
#include "simt/lanes/with_clamps.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::ScalarType;

/// cvt.rn.f16x2.f32 d, a, b: a in the upper half.
template <typename Format, Rounding Mode, bool Relu, bool Finite>
struct PackSmall {
  static constexpr bool kCostly = true;
  static std::uint32_t apply(float a, float b) {
    const auto half = [](float value) -> std::uint32_t {
      return clamped<Format, Relu, Finite>(Format::from_double(value, Mode));
    };
    return half(a) << 16 | half(b);
  }
};

template <typename Format>
Handler pack_small(const Operation& operation) {
  return with_clamps(operation, [&](auto relu, auto finite) -> Handler {
    using U = std::uint32_t;
    if (operation.has(Modifier::Rz))
      return lanewise<PackSmall<Format, Rounding::Zero, relu(), finite()>, U, float, float>;
    return lanewise<PackSmall<Format, Rounding::Nearest, relu(), finite()>, U, float, float>;
  });
}

/// cvt.pack.sat.u16.s32 d, a, b: both clamped, a in the upper half.
template <typename To>
struct PackClamped {
  static std::uint32_t apply(std::int32_t a, std::int32_t b) {
    const auto half = [](std::int32_t value) -> std::uint32_t {
      constexpr std::int32_t kLow = std::numeric_limits<To>::min(), kHigh = std::numeric_limits<To>::max();
      return static_cast<std::uint16_t>(std::clamp(value, kLow, kHigh));
    };
    return half(a) << 16 | half(b);
  }
};

Handler pack_clamped(const Operation& operation) {
  const auto& types = operation.instruction.types;
  if (types[1] != ScalarType::S32 || operation.instruction.operands.size() != 3 || !operation.has(Modifier::Sat))
    return nullptr;
  if (types[0] == ScalarType::U16)
    return lanewise<PackClamped<std::uint16_t>, std::uint32_t, std::int32_t, std::int32_t>;
  if (types[0] == ScalarType::S16)
    return lanewise<PackClamped<std::int16_t>, std::uint32_t, std::int32_t, std::int32_t>;
  return nullptr;
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: both clamped, b lowest, above them what fits of c.
template <unsigned Bits, bool Signed>
struct PackUnder {
  static constexpr bool kCostly = true;
  static constexpr std::int32_t kLow = Signed ? -(1 << (Bits - 1)) : 0, kHigh = (1 << (Signed ? Bits - 1 : Bits)) - 1;
  static std::uint32_t apply(std::int32_t a, std::int32_t b, std::uint32_t c) {
    const auto part = [](std::int32_t value) {
      return static_cast<std::uint32_t>(std::clamp(value, kLow, kHigh)) & ((1u << Bits) - 1);
    };
    return c << (2 * Bits) | part(a) << Bits | part(b);
  }
};

Handler pack_under(const Operation& operation) {
  using U = std::uint32_t;
  using S = std::int32_t;
  switch (operation.type()) {
    case ScalarType::U8:
      return lanewise<PackUnder<8, false>, U, S, S, U>;
    case ScalarType::S8:
      return lanewise<PackUnder<8, true>, U, S, S, U>;
    case ScalarType::U4:
      return lanewise<PackUnder<4, false>, U, S, S, U>;
    case ScalarType::S4:
      return lanewise<PackUnder<4, true>, U, S, S, U>;
    case ScalarType::U2:
      return lanewise<PackUnder<2, false>, U, S, S, U>;
    case ScalarType::S2:
      return lanewise<PackUnder<2, true>, U, S, S, U>;
    default:
      return nullptr;
  }
}

template <typename Format, bool Relu>
Handler byte_pairs_of(const Operation& operation) {
  const auto& types = operation.instruction.types;
  using Pair = typename Format::Pair;
  if (types[0] == ScalarType::F16x2) return lanewise<BytesToHalves<Format, Relu>, std::uint32_t, Pair>;
  if (types[1] == ScalarType::F32) return lanewise<FloatsToBytes<Format, Relu>, Pair, float, float>;
  return types[1] == ScalarType::F16x2 ? lanewise<HalvesToBytes<Format, Relu>, std::uint16_t, std::uint32_t> : nullptr;
}

template <typename Format>
Handler byte_pairs(const Operation& operation) {
  return operation.has(Modifier::Relu) ? byte_pairs_of<Format, true>(operation)
                                       : byte_pairs_of<Format, false>(operation);
}

Handler select_byte_pairs(const Operation& operation, ScalarType bytes) {
  switch (bytes) {
    case ScalarType::E4m3x2:
      return byte_pairs<E4m3>(operation);
    case ScalarType::E5m2x2:
      return byte_pairs<E5m2>(operation);
    case ScalarType::E2m1x2:
      return byte_pairs<E2m1>(operation);
    case ScalarType::E2m3x2:
      return byte_pairs<E2m3>(operation);
    case ScalarType::E3m2x2:
      return byte_pairs<E3m2>(operation);
    default:
      return nullptr;
  }
}

template <Rounding Mode, bool Finite>
Handler to_scales(const Operation& operation) {
  using U = std::uint32_t;
  return operation.instruction.types[1] == ScalarType::F32 ? lanewise<FloatsToScales<Mode, Finite>, std::uint16_t, U, U>
                                                           : lanewise<BFloatsToScales<Mode, Finite>, std::uint16_t, U>;
}

Handler select_to_scales(const Operation& operation) {
  const auto with = [&]<Rounding Mode>() {
    return operation.has(Modifier::Satfinite) ? to_scales<Mode, true>(operation) : to_scales<Mode, false>(operation);
  };
  return operation.has(Modifier::Rp) ? with.template operator()<Rounding::Up>()
                                     : with.template operator()<Rounding::Zero>();
}

}  // namespace

Handler select_pack(const Operation& operation) {
  const auto& types = operation.instruction.types;
  if (operation.has(Modifier::Pack)) return types.size() == 3 ? pack_under(operation) : pack_clamped(operation);
  if (types.size() != 2) return nullptr;
  if (types[0] == ScalarType::Ue8m0x2) return select_to_scales(operation);
  if (types[1] == ScalarType::Ue8m0x2) return lanewise<ScalesToBFloats, std::uint32_t, std::uint16_t>;
  if (types[0] == ScalarType::F16x2 && types[1] == ScalarType::F32) return pack_small<Half>(operation);
  if (types[0] == ScalarType::Bf16x2 && types[1] == ScalarType::F32) return pack_small<BFloat>(operation);
  return select_byte_pairs(operation, types[0] == ScalarType::F16x2 ? types[1] : types[0]);
}

}  // namespace warpfork::simt::WARPFORK_LANES
