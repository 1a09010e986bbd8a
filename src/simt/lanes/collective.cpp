// PTX ISA, instructions in which the lanes of a warp see one another: vote, shfl, match, redux, activemask, elect.
//
// Lanes that take part are those of the split that executes the instruction; lanes of a .sync mask that run in another
// split at that moment are not waited for.
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using std::uint32_t;
using std::uint64_t;

enum class Vote { All, Any, Uni, Ballot };

/// [0] destination, [1] predicate; Instruction::immediate = 1 if it is negated.
template <Vote Kind>
void vote(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  uint32_t asked = warp.predicates[instruction.operand[1]];
  if (instruction.immediate) asked = ~asked;
  const ActiveMask yes = ActiveMask(asked) & lanes;
  if constexpr (Kind == Vote::Ballot) {
    for_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return yes.bits(); });
  } else {
    const bool result = Kind == Vote::All ? yes == lanes : Kind == Vote::Any ? yes.any() : yes == lanes || yes.none();
    set_predicate(warp, instruction.operand[0], ActiveMask(result ? ~0u : 0u), lanes);
  }
}

enum class Shuffle { Up, Down, Butterfly, Index };

struct ShuffleSource {
  unsigned lane;
  bool in_range;
};

/// PTX ISA, "shfl": from which lane `lane` reads. c holds the clamp in bits 0-4 and the segment mask in bits 8-12.
template <Shuffle Mode>
ShuffleSource shuffle_source(unsigned lane, uint32_t b, uint32_t c) {
  const unsigned distance = b & 31, clamp = c & 31, segment = (c >> 8) & 31;
  const int limit = static_cast<int>((lane & segment) | (clamp & ~segment & 31));
  const int own = static_cast<int>(lane), shift = static_cast<int>(distance);
  const int wanted = Mode == Shuffle::Up          ? own - shift
                     : Mode == Shuffle::Down      ? own + shift
                     : Mode == Shuffle::Butterfly ? own ^ shift
                                                  : static_cast<int>((lane & segment) | (distance & ~segment & 31));
  const bool in_range = Mode == Shuffle::Up ? wanted >= limit : wanted <= limit;
  return {in_range ? static_cast<unsigned>(wanted) : lane, in_range};
}

/// [0] destination, [1] value, [2] b, [3] c, [4] predicate "source lane in range".
template <Shuffle Mode>
void shfl(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  std::byte* const registers = warp.registers;
  uint32_t value[kMaxWarpSize];
  std::memcpy(value, registers + instruction.operand[1], sizeof value);  // the destination may be the same row
  const Row<uint32_t> b(registers + instruction.operand[2]), c(registers + instruction.operand[3]);
  ActiveMask in_range;
  lanes.for_each([&](unsigned lane) {
    const ShuffleSource source = shuffle_source<Mode>(lane, b[lane], c[lane]);
    if (source.in_range) in_range |= ActiveMask::lane(lane);
    set_lane<uint32_t>(registers + instruction.operand[0], lane, value[source.lane]);
  });
  set_predicate(warp, instruction.operand[4], in_range, lanes);
}

template <typename T>
ActiveMask lanes_with(const Row<T>& row, T value, ActiveMask lanes) {
  return collect<Slot<T>>([=](unsigned lane) { return row[lane] == value; }) & lanes;
}

/// [0] destination, [1] value.
template <typename T>
void match_any(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  T copy[kMaxWarpSize];
  std::memcpy(copy, warp.registers + instruction.operand[1], sizeof copy);
  const Row<T> value(reinterpret_cast<const std::byte*>(copy));
  for_active_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes,
                             [&](unsigned lane) { return lanes_with(value, value[lane], lanes).bits(); });
}

/// [0] destination, [1] value, [4] predicate "all equal".
template <typename T>
void match_all(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  if (lanes.none()) return;
  const Row<T> value(warp.registers + instruction.operand[1]);
  const bool equal = lanes_with(value, value[lanes.lowest()], lanes) == lanes;
  for_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes,
                      [=](unsigned) { return equal ? lanes.bits() : 0u; });
  set_predicate(warp, instruction.operand[4], ActiveMask(equal ? ~0u : 0u), lanes);
}

struct Add {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  }
};
struct Min {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <typename T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct And {
  template <typename T>
  static T apply(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <typename T>
  static T apply(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <typename T>
  static T apply(T a, T b) {
    return a ^ b;
  }
};

/// [0] destination, [1] value.
template <typename Op, typename T>
void redux(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  if (lanes.none()) return;
  const Row<T> value(warp.registers + instruction.operand[1]);
  T result = value[lanes.lowest()];
  (lanes - ActiveMask::lane(lanes.lowest())).for_each([&](unsigned lane) { result = Op::apply(result, value[lane]); });
  for_lanes<T>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return result; });
}

/// [0] destination.
void activemask(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  for_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return lanes.bits(); });
}

/// [0] destination: the leader's lane; [4] predicate: this lane is the leader.
void elect(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  if (lanes.none()) return;
  const uint32_t leader = lanes.lowest();
  for_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return leader; });
  set_predicate(warp, instruction.operand[4], ActiveMask::lane(leader), lanes);
}

Handler select_vote(const Operation& operation) {
  if (operation.has(Modifier::Ballot)) return vote<Vote::Ballot>;
  if (operation.has(Modifier::All)) return vote<Vote::All>;
  if (operation.has(Modifier::Any)) return vote<Vote::Any>;
  return operation.has(Modifier::Uni) ? vote<Vote::Uni> : nullptr;
}

Handler select_shuffle(const Operation& operation) {
  if (operation.has(Modifier::Up)) return shfl<Shuffle::Up>;
  if (operation.has(Modifier::Down)) return shfl<Shuffle::Down>;
  if (operation.has(Modifier::Bfly)) return shfl<Shuffle::Butterfly>;
  return operation.has(Modifier::Idx) ? shfl<Shuffle::Index> : nullptr;
}

Handler select_match(const Operation& operation) {
  const bool wide = ptx::bits_of(operation.type()) == 64;
  if (operation.has(Modifier::Any)) return wide ? match_any<uint64_t> : match_any<uint32_t>;
  if (operation.has(Modifier::All)) return wide ? match_all<uint64_t> : match_all<uint32_t>;
  return nullptr;
}

Handler select_redux(const Operation& operation) {
  if (ptx::is_float(operation.type())) return nullptr;
  const bool is_signed = ptx::is_signed(operation.type());
  if (operation.has(Modifier::Add)) return redux<Add, uint32_t>;
  if (operation.has(Modifier::Min)) return is_signed ? redux<Min, std::int32_t> : redux<Min, uint32_t>;
  if (operation.has(Modifier::Max)) return is_signed ? redux<Max, std::int32_t> : redux<Max, uint32_t>;
  if (operation.has(Modifier::And)) return redux<And, uint32_t>;
  if (operation.has(Modifier::Or)) return redux<Or, uint32_t>;
  if (operation.has(Modifier::Xor)) return redux<Xor, uint32_t>;
  return nullptr;
}

}  // namespace

Handler select_collective(const Operation& operation) {
  switch (operation.instruction.opcode) {
    case Opcode::Vote:
      return select_vote(operation);
    case Opcode::Shfl:
      return select_shuffle(operation);
    case Opcode::Match:
      return select_match(operation);
    case Opcode::Redux:
      return select_redux(operation);
    case Opcode::Activemask:
      return activemask;
    case Opcode::Elect:
      return elect;
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
