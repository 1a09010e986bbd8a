// PTX ISA, "Extended-Precision Integer Arithmetic Instructions": add, sub and mad with the carry flag CC.CF.
//
// The flag is a predicate of the decoder's own; its index is Instruction::immediate. It is what the adder carries out,
// after sub and subc too, which add the complement: set where there is no borrow. The ISA's words, "borrow-out written
// to CC.CF", say otherwise, but the two differ only where addc follows sub or subc follows add, and there GPUs do as is
// done here: nvcc's 128-bit divisions add the flag of a subtraction.
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;

template <typename T>
struct Sum {
  T value;
  bool carry;
};

template <typename T>
Sum<T> add(T a, T b, bool carry) {
  const T partial = a + b, value = partial + T{carry};
  return {value, partial < a || value < partial};
}

struct AddCarry {
  template <typename T>
  static Sum<T> apply(T a, T b, T, bool carry) {
    return add(a, b, carry);
  }
};
struct SubCarry {
  template <typename T>
  static Sum<T> apply(T a, T b, T, bool carry) {
    return add(a, static_cast<T>(~b), carry);
  }
};
struct MadLoCarry {
  template <typename T>
  static Sum<T> apply(T a, T b, T c, bool carry) {
    return add(static_cast<T>(a * b), c, carry);
  }
};
/// Signedness matters for the high half only.
template <bool Signed>
struct MadHiCarry {
  template <typename T>
  static Sum<T> apply(T a, T b, T c, bool carry) {
    using Wide = std::conditional_t<Signed, __int128, unsigned __int128>;
    using Narrow = std::conditional_t<Signed, std::make_signed_t<T>, T>;
    return add(static_cast<T>((Wide{static_cast<Narrow>(a)} * Wide{static_cast<Narrow>(b)}) >> (8 * sizeof(T))), c,
               carry);
  }
};

/// What is carried into an operation that does not read the flag.
template <typename Op>
constexpr bool kUnread = std::is_same_v<Op, SubCarry>;

template <typename Op, typename T, bool Reads, bool Writes>
void with_carry(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  std::byte* const registers = warp.registers;
  const Row<T> a(registers + instruction.operand[1]), b(registers + instruction.operand[2]),
      c(registers + instruction.operand[3]);
  std::uint32_t& flag = warp.predicates[instruction.immediate];
  const RowLanes before(flag);
  RowLanes after = before;
  lanes.for_each([&](unsigned lane) {
    const Sum<T> sum = Op::apply(a[lane], b[lane], c[lane], Reads ? before.contains(lane) : kUnread<Op>);
    set_lane<T>(registers + instruction.operand[0], lane, sum.value);
    after = sum.carry ? after | RowLanes::single(lane) : after - RowLanes::single(lane);
  });
  if constexpr (Writes) flag = after.bits();
}

template <typename Op>
Handler with_type(const Operation& operation, bool reads) {
  const bool writes = operation.has(Modifier::Cc);
  const auto with = [&](auto t) -> Handler {
    using T = decltype(t);
    if (reads) return writes ? with_carry<Op, T, true, true> : with_carry<Op, T, true, false>;
    return with_carry<Op, T, false, true>;
  };
  switch (ptx::bits_of(operation.type())) {
    case 32:
      return with(std::uint32_t{});
    case 64:
      return with(std::uint64_t{});
    default:
      return nullptr;
  }
}

Handler select_mad(const Operation& operation, bool reads) {
  if (operation.has(Modifier::Wide)) return nullptr;
  if (!operation.has(Modifier::Hi)) return with_type<MadLoCarry>(operation, reads);
  return ptx::is_signed(operation.type()) ? with_type<MadHiCarry<true>>(operation, reads)
                                          : with_type<MadHiCarry<false>>(operation, reads);
}

}  // namespace

Handler select_carry(const Operation& operation) {
  switch (operation.instruction.opcode) {
    case Opcode::Add:
      return with_type<AddCarry>(operation, false);
    case Opcode::Addc:
      return with_type<AddCarry>(operation, true);
    case Opcode::Sub:
      return with_type<SubCarry>(operation, false);
    case Opcode::Subc:
      return with_type<SubCarry>(operation, true);
    case Opcode::Mad:
      return select_mad(operation, false);
    case Opcode::Madc:
      return select_mad(operation, true);
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
