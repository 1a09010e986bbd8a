// PTX ISA, instructions in which the lanes of a warp see one another: vote, shfl, match, redux, activemask, elect.
//
// Lanes of a .sync instruction take part with those that give the same member mask; these must be the ones it names,
// for nobody waits for lanes of another split (docs/adr/0017). Without .sync all lanes of the split take part.
#include "simt/lanes/extremes.h"
#include "simt/lanes/float_rules.h"
#include "simt/lanes/lanewise.h"
#include "simt/lanes/select.h"
#include "simt/members.h"

namespace warpfork::simt::WARPFORK_LANES {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using std::uint32_t;
using std::uint64_t;

/// Applies a .sync instruction to the lanes of one member mask after the other.
template <Handler Apply>
void by_members(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  while (lanes.any()) {
    const RowLanes together = together_with_lowest(instruction, warp, lanes);
    Apply(instruction, warp, together);
    lanes -= together;
  }
}

/// Lanes as the program knows them, by the numbers of their threads.
uint32_t mask_of(const WarpContext& warp, RowLanes lanes) { return permuted(lanes, warp.lane_key).bits(); }

enum class Vote { All, Any, Uni, Ballot };

/// [0] destination, [1] predicate; Instruction::immediate = 1 if it is negated.
template <Vote Kind>
void vote(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  uint32_t asked = warp.predicates[instruction.operand[1]];
  if (instruction.immediate) asked = ~asked;
  const RowLanes yes = RowLanes(asked) & lanes;
  if constexpr (Kind == Vote::Ballot) {
    const uint32_t mask = mask_of(warp, yes);
    for_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return mask; });
  } else {
    const bool result = Kind == Vote::All ? yes == lanes : Kind == Vote::Any ? yes.any() : yes == lanes || yes.none();
    set_predicate(warp, instruction.operand[0], RowLanes(result ? ~0u : 0u), lanes);
  }
}

enum class Shuffle { Up, Down, Butterfly, Index };

struct ShuffleSource {
  unsigned thread;
  bool in_range;
};

/// PTX ISA, "shfl": from which thread of the warp `thread` reads. c holds the clamp in bits 0-4 and the segment mask in
/// bits 8-12.
template <Shuffle Mode>
ShuffleSource shuffle_source(unsigned thread, uint32_t b, uint32_t c) {
  const unsigned distance = b & 31, clamp = c & 31, segment = (c >> 8) & 31;
  const int limit = static_cast<int>((thread & segment) | (clamp & ~segment & 31));
  const int own = static_cast<int>(thread), shift = static_cast<int>(distance);
  const int wanted = Mode == Shuffle::Up          ? own - shift
                     : Mode == Shuffle::Down      ? own + shift
                     : Mode == Shuffle::Butterfly ? own ^ shift
                                                  : static_cast<int>((thread & segment) | (distance & ~segment & 31));
  const bool in_range = Mode == Shuffle::Up ? wanted >= limit : wanted <= limit;
  return {in_range ? static_cast<unsigned>(wanted) : thread, in_range};
}

/// Whether a lane reads the value of `source`: that one must execute the instruction as well and, with .sync, be a
/// member.
template <bool Sync>
bool is_there(const Instruction& instruction, const WarpContext& warp, RowLanes lanes, unsigned lane, unsigned source) {
  if constexpr (Sync) {
    check_own_mask(instruction, warp, lane);
    if (!members_of(instruction, warp, lane).contains(source)) return false;
    if (!lanes.contains(source) && warp.live.contains(source)) fail_absent_source(instruction, warp, lane, source);
  }
  return lanes.contains(source);
}

/// [0] destination, [1] value, [2] b, [3] c, [4] predicate "source lane in range". What is read from a lane that is not
/// there the ISA leaves open: 0, as hardware is reported to give.
template <Shuffle Mode, bool Sync>
void shfl(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  std::byte* const registers = warp.registers;
  uint32_t value[kRowLanes];
  std::memcpy(value, registers + instruction.operand[1], sizeof value);  // the destination may be the same row
  const Row<uint32_t> b(registers + instruction.operand[2]), c(registers + instruction.operand[3]);
  RowLanes in_range;
  lanes.for_each([&](unsigned lane) {
    const ShuffleSource source = shuffle_source<Mode>(lane ^ warp.lane_key, b[lane], c[lane]);
    if (source.in_range) in_range |= RowLanes::single(lane);
    const unsigned from = source.thread ^ warp.lane_key;
    const bool there = is_there<Sync>(instruction, warp, lanes, lane, from);
    set_lane<uint32_t>(registers + instruction.operand[0], lane, there ? value[from] : 0);
  });
  set_predicate(warp, instruction.operand[4], in_range, lanes);
}

template <typename T>
RowLanes lanes_with(const Row<T>& row, T value, RowLanes lanes) {
  return collect<Slot<T>>([=](unsigned lane) { return row[lane] == value; }) & lanes;
}

/// [0] destination, [1] value.
template <typename T>
void match_any(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  T copy[kRowLanes];
  std::memcpy(copy, warp.registers + instruction.operand[1], sizeof copy);
  const Row<T> value(reinterpret_cast<const std::byte*>(copy));
  for_active_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes,
                             [&](unsigned lane) { return mask_of(warp, lanes_with(value, value[lane], lanes)); });
}

/// [0] destination, [1] value, [4] predicate "all equal".
template <typename T>
void match_all(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  if (lanes.none()) return;
  const Row<T> value(warp.registers + instruction.operand[1]);
  const bool equal = lanes_with(value, value[lanes.lowest()], lanes) == lanes;
  const uint32_t mask = equal ? mask_of(warp, lanes) : 0;
  for_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return mask; });
  set_predicate(warp, instruction.operand[4], RowLanes(equal ? ~0u : 0u), lanes);
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
void redux(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  if (lanes.none()) return;
  const Row<T> value(warp.registers + instruction.operand[1]);
  T result = value[lanes.lowest()];
  (lanes - RowLanes::single(lanes.lowest())).for_each([&](unsigned lane) { result = Op::apply(result, value[lane]); });
  for_lanes<T>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return result; });
}

/// The same of floats, for which it is no matter that the first one comes twice; .abs may change it.
template <typename Op>
void redux_floats(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  if (lanes.none()) return;
  const Row<float> value(warp.registers + instruction.operand[1]);
  float result = value[lanes.lowest()];
  lanes.for_each([&](unsigned lane) { result = Op::apply(result, value[lane]); });
  for_lanes<float>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return canonical(result); });
}

/// [0] destination.
void activemask(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  const uint32_t mask = mask_of(warp, lanes);
  for_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return mask; });
}

/// [0] destination: the leader, the first of the threads; [4] predicate: this lane is the leader's.
void elect(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  if (lanes.none()) return;
  const uint32_t leader = permuted(lanes, warp.lane_key).lowest();
  for_lanes<uint32_t>(warp.registers + instruction.operand[0], lanes, [=](unsigned) { return leader; });
  set_predicate(warp, instruction.operand[4], RowLanes::single(leader ^ warp.lane_key), lanes);
}

template <Vote Kind>
Handler with_or_without_members(const Operation& operation) {
  return operation.has(Modifier::Sync) ? by_members<vote<Kind>> : vote<Kind>;
}

Handler select_vote(const Operation& operation) {
  if (operation.has(Modifier::Ballot)) return with_or_without_members<Vote::Ballot>(operation);
  if (operation.has(Modifier::All)) return with_or_without_members<Vote::All>(operation);
  if (operation.has(Modifier::Any)) return with_or_without_members<Vote::Any>(operation);
  return operation.has(Modifier::Uni) ? with_or_without_members<Vote::Uni>(operation) : nullptr;
}

template <bool Sync>
Handler select_shuffle(const Operation& operation) {
  if (operation.has(Modifier::Up)) return shfl<Shuffle::Up, Sync>;
  if (operation.has(Modifier::Down)) return shfl<Shuffle::Down, Sync>;
  if (operation.has(Modifier::Bfly)) return shfl<Shuffle::Butterfly, Sync>;
  return operation.has(Modifier::Idx) ? shfl<Shuffle::Index, Sync> : nullptr;
}

Handler select_match(const Operation& operation) {
  const bool wide = ptx::bits_of(operation.type()) == 64;
  if (operation.has(Modifier::Any)) return wide ? by_members<match_any<uint64_t>> : by_members<match_any<uint32_t>>;
  if (operation.has(Modifier::All)) return wide ? by_members<match_all<uint64_t>> : by_members<match_all<uint32_t>>;
  return nullptr;
}

template <typename Op>
Handler select_redux_of_floats(const Operation& operation) {
  const bool propagates = operation.has(Modifier::PropagateNan);
  if (operation.has(Modifier::Abs))
    return propagates ? by_members<redux_floats<PropagateNan<OfMagnitudes<Op>>>>
                      : by_members<redux_floats<OfMagnitudes<Op>>>;
  return propagates ? by_members<redux_floats<PropagateNan<Op>>> : by_members<redux_floats<Op>>;
}

Handler select_redux(const Operation& operation) {
  if (ptx::is_float(operation.type()))
    return operation.has(Modifier::Min) ? select_redux_of_floats<Least>(operation)
                                        : select_redux_of_floats<Greatest>(operation);
  const bool is_signed = ptx::is_signed(operation.type());
  if (operation.has(Modifier::Add)) return by_members<redux<Add, uint32_t>>;
  if (operation.has(Modifier::Min))
    return is_signed ? by_members<redux<Min, std::int32_t>> : by_members<redux<Min, uint32_t>>;
  if (operation.has(Modifier::Max))
    return is_signed ? by_members<redux<Max, std::int32_t>> : by_members<redux<Max, uint32_t>>;
  if (operation.has(Modifier::And)) return by_members<redux<And, uint32_t>>;
  if (operation.has(Modifier::Or)) return by_members<redux<Or, uint32_t>>;
  if (operation.has(Modifier::Xor)) return by_members<redux<Xor, uint32_t>>;
  return nullptr;
}

}  // namespace

Handler select_collective(const Operation& operation) {
  const bool sync = operation.has(Modifier::Sync);
  switch (operation.instruction.opcode) {
    case Opcode::Vote:
      return select_vote(operation);
    case Opcode::Shfl:
      return sync ? select_shuffle<true>(operation) : select_shuffle<false>(operation);
    case Opcode::Match:
      return sync ? select_match(operation) : nullptr;
    case Opcode::Redux:
      return sync ? select_redux(operation) : nullptr;
    case Opcode::Activemask:
      return activemask;
    case Opcode::Elect:
      return sync ? by_members<elect> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warpfork::simt::WARPFORK_LANES
