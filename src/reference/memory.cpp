// PTX ISA, "Data Movement and Conversion Instructions" (ld, st, cp, cvta, isspacep), atom,
// red and mbarrier.
#include <algorithm>
#include <array>

#include "base/error.h"
#include "reference/execute.h"
#include "reference/float_extreme.h"
#include "reference/float_operands.h"

namespace warpfork::reference {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;
using ptx::StateSpace;

Place place_operand(const Thread& thread, std::size_t index) {
  const auto* address = thread.operand(index).as<ptx::AddressOperand>();
  if (address == nullptr) thread.reject("the operand is no address");
  return thread.place_of(*address);
}

/// The whole vector must be aligned to its own size, not only each element.
void check_alignment(const Thread& thread, const Place& place, std::size_t bytes) {
  if (place.address % bytes != 0) thread.reject(fmt::format("address {:#x} is misaligned", place.address));
}

void load(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0);
  const unsigned bytes = ptx::bytes_of(type);
  Place place = place_operand(thread, 1);
  check_alignment(thread, place, std::size_t{bytes} * instruction.vector_width);
  std::vector<std::uint64_t> values;
  for (unsigned i = 0; i < instruction.vector_width; ++i, place.address += bytes)
    values.push_back(thread.load(place, bytes));
  const std::span<const ptx::Operand> results = thread.elements(0);
  for (unsigned i = 0; i < instruction.vector_width; ++i) thread.write(results[i], values[i], type);
}

void store(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0);
  const unsigned bytes = ptx::bytes_of(type);
  Place place = place_operand(thread, 0);
  check_alignment(thread, place, std::size_t{bytes} * instruction.vector_width);
  if (place.space == StateSpace::Const) thread.reject("constant memory cannot be written");
  for (const ptx::Operand& value : thread.elements(1)) {
    thread.store(place, bytes, thread.read(value, type));
    place.address += bytes;
  }
}

/// Sums are rounded to nearest even. Single precision flushes subnormals in global memory, and only there.
std::uint64_t updated_floats(const Instruction& instruction, const Place& place, std::uint64_t a, std::uint64_t b) {
  const FloatType floats = *float_type(instruction.types[0]);
  const FloatFormat format = floats.format;
  const bool flush = instruction.types[0] == ScalarType::F32 && place.space == StateSpace::Global;
  const auto operand = [&](std::uint64_t bits, unsigned shift) {
    const std::uint64_t element = truncate(bits >> shift, format.width());
    return flush ? flush_subnormal(element, format) : element;
  };
  const auto sum_of = [&](std::array<std::uint64_t, 2> in) {
    const Real sum = add(decode(in[0], format), decode(in[1], format), Rounding::NearestEven);
    const std::uint64_t bits =
        sum.is_nan() ? nan_result(instruction, format, in) : encode(sum, format, Rounding::NearestEven);
    return flush ? flush_subnormal(bits, format) : bits;
  };
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < floats.elements * format.width(); shift += format.width()) {
    const std::uint64_t first = operand(a, shift), second = operand(b, shift);
    const bool adds = instruction.has(Modifier::Add);
    result |= (adds ? sum_of({first, second}) : float_extreme(instruction, format, first, second)) << shift;
  }
  return result;
}

bool is_less(ScalarType type, std::uint64_t a, std::uint64_t b) {
  const unsigned bits = ptx::bits_of(type);
  return ptx::is_signed(type) ? sign_extend(a, bits) < sign_extend(b, bits) : a < b;
}

/// The new contents of memory; `c` is the second source of cas.
std::uint64_t updated(const Thread& thread, const Place& place, std::uint64_t old, std::uint64_t b, std::uint64_t c) {
  const Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0);
  const bool computes =
      instruction.has(Modifier::Add) || instruction.has(Modifier::Min) || instruction.has(Modifier::Max);
  if (computes && float_type(type)) return updated_floats(instruction, place, old, b);
  for (const Modifier word : instruction.modifiers) {
    switch (word) {
      case Modifier::Add:
        return old + b;
      case Modifier::And:
        return old & b;
      case Modifier::Or:
        return old | b;
      case Modifier::Xor:
        return old ^ b;
      case Modifier::Exch:
        return b;
      case Modifier::Cas:
        return old == b ? c : old;
      case Modifier::Min:
        return is_less(type, b, old) ? b : old;
      case Modifier::Max:
        return is_less(type, old, b) ? b : old;
      case Modifier::Inc:
        return old >= b ? 0 : old + 1;
      case Modifier::Dec:
        return old == 0 || old > b ? b : old - 1;
      default:
        break;
    }
  }
  thread.reject("not supported");
}

/// Of a vector each element by itself.
void vector_atomic(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0);
  const std::size_t first = instruction.opcode == Opcode::Atom ? 1 : 0;
  Place place = place_operand(thread, first);
  std::vector<std::uint64_t> before;
  for (const ptx::Operand& value : thread.elements(first + 1)) {
    before.push_back(thread.load(place, ptx::bytes_of(type)));
    const std::uint64_t after = updated(thread, place, before.back(), thread.read(value, type), 0);
    thread.store(place, ptx::bytes_of(type), truncate(after, ptx::bits_of(type)));
    place.address += ptx::bytes_of(type);
  }
  for (std::size_t i = 0; first == 1 && i < before.size(); ++i) thread.write(thread.elements(0)[i], before[i], type);
}

void atomic(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0);
  if (instruction.has(Modifier::Async)) thread.reject("not supported");
  if (instruction.vector_width > 1) return vector_atomic(thread);
  const std::size_t first = instruction.opcode == Opcode::Atom ? 1 : 0;  // red has no destination
  const Place place = place_operand(thread, first);
  const std::uint64_t old = thread.load(place, ptx::bytes_of(type));
  const std::uint64_t b = thread.read(first + 1, type);
  const std::uint64_t c = instruction.has(Modifier::Cas) ? thread.read(first + 2, type) : 0;
  thread.store(place, ptx::bytes_of(type), truncate(updated(thread, place, old, b, c), ptx::bits_of(type)));
  if (first == 1) thread.write(0, old, type);
}

/// An mbarrier, as this interpreter keeps it in its 64 bits, which only these instructions may look at.
struct Mbarrier {
  std::uint64_t missing, expected, phase;
  std::int64_t bytes = 0;  // that transactions are to bring yet; less than none if they came before they were expected

  static Mbarrier of(std::uint64_t bits) {
    return {bits >> 44, truncate(bits >> 24, 20), truncate(bits, 3), sign_extend(truncate(bits >> 3, 21), 21)};
  }
  std::uint64_t bits() const {
    return missing << 44 | expected << 24 | truncate(static_cast<std::uint64_t>(bytes), 21) << 3 | truncate(phase, 3);
  }
  void end_phase_if_complete() {
    if (missing == 0 && bytes == 0) *this = {expected, expected, phase + 1};
  }
};

void expect_bytes(Thread& thread, const Place& place, std::int64_t bytes) {
  Mbarrier barrier = Mbarrier::of(thread.load(place, 8));
  barrier.bytes += bytes;
  barrier.end_phase_if_complete();
  thread.store(place, 8, barrier.bits());
}

/// Returns what the object was before.
std::uint64_t arrive(Thread& thread, const Place& place, std::uint64_t count, bool drops) {
  const std::uint64_t before = thread.load(place, 8);
  Mbarrier barrier = Mbarrier::of(before);
  if (count > barrier.missing) thread.reject("more arrivals than the mbarrier waits for");
  barrier.missing -= count;
  if (drops) barrier.expected -= count;
  barrier.end_phase_if_complete();
  thread.store(place, 8, barrier.bits());
  return before;
}

void mbarrier(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  if (instruction.has(Modifier::Inval)) return;
  if (instruction.has(Modifier::Init)) {
    const std::uint64_t count = thread.read(1, ScalarType::U32);
    return thread.store(place_operand(thread, 0), 8, Mbarrier{count, count, 0}.bits());
  }
  if (instruction.has(Modifier::PendingCount))
    return thread.write(0, Mbarrier::of(thread.read(1, ScalarType::B64)).missing, ScalarType::U32);
  const bool drops = instruction.has(Modifier::ArriveDrop), expects = instruction.has(Modifier::ExpectTx);
  if (drops || instruction.has(Modifier::Arrive)) {
    if (expects)
      expect_bytes(thread, place_operand(thread, 1), static_cast<std::int64_t>(thread.read(2, ScalarType::U32)));
    const std::uint64_t count = thread.has_operand(2) && !expects ? thread.read(2, ScalarType::U32) : 1;
    const std::uint64_t state = arrive(thread, place_operand(thread, 1), count, drops);
    if (thread.operand(0).as<ptx::SinkOperand>() == nullptr) thread.write(0, state, ScalarType::B64);
    return;
  }
  if (expects || instruction.has(Modifier::CompleteTx)) {
    const auto bytes = static_cast<std::int64_t>(thread.read(1, ScalarType::U32));
    return expect_bytes(thread, place_operand(thread, 0), expects ? bytes : -bytes);
  }
  const Mbarrier now = Mbarrier::of(thread.load(place_operand(thread, 1), 8));
  const bool is_over = instruction.has(Modifier::Parity)
                           ? now.phase % 2 != thread.read(2, ScalarType::U32)
                           : now.phase != Mbarrier::of(thread.read(2, ScalarType::B64)).phase;
  thread.write(0, is_over ? 1 : 0, ScalarType::Pred);
}

/// cp.async.bulk from global to shared memory or back.
void copy_bulk(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const bool loads = instruction.space == StateSpace::Shared;
  if (!loads && instruction.space != StateSpace::Global) thread.reject("not supported");
  const Place to = place_operand(thread, 0);
  const Place from{loads ? StateSpace::Global : StateSpace::Shared, place_operand(thread, 1).address};
  const std::uint64_t bytes = thread.read(2, ScalarType::U32);
  if (bytes % 16 != 0) thread.reject("the size is no multiple of 16");
  check_alignment(thread, to, 16);
  check_alignment(thread, from, 16);
  for (std::uint64_t at = 0; at < bytes; ++at)
    thread.store({to.space, to.address + at}, 1, thread.load({from.space, from.address + at}, 1));
  if (loads)
    expect_bytes(thread, {StateSpace::Shared, place_operand(thread, 3).address}, -static_cast<std::int64_t>(bytes));
}

/// cp.async: what is copied is there at once; what is left out of the source is zero.
void copy(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  if (instruction.has(Modifier::CommitGroup) || instruction.has(Modifier::WaitGroup) ||
      instruction.has(Modifier::WaitAll))
    return;
  if (instruction.has(Modifier::Bulk)) return copy_bulk(thread);
  if (instruction.has(Modifier::Mbarrier)) {
    if (instruction.has(Modifier::Noinc)) arrive(thread, place_operand(thread, 0), 1, false);
    return;
  }
  const Place to = place_operand(thread, 0), from{StateSpace::Global, place_operand(thread, 1).address};
  const std::uint64_t bytes = thread.read(2, ScalarType::U32);
  std::uint64_t copied = bytes;
  if (thread.has_operand(3)) {
    const auto* const given = thread.operand(3).as<ptx::RegisterOperand>();
    const bool ignores = given != nullptr && thread.function().registers[given->id].type == ScalarType::Pred;
    copied = ignores ? (thread.read(3, ScalarType::Pred) != 0 ? 0 : bytes) : thread.read(3, ScalarType::U32);
  }
  check_alignment(thread, to, bytes);
  check_alignment(thread, from, bytes);
  for (std::uint64_t at = 0; at < bytes; ++at)
    thread.store({to.space, to.address + at}, 1, at < copied ? thread.load({from.space, from.address + at}, 1) : 0);
}

/// cvta.space: an address in that space to a generic one; cvta.to.space: back.
void convert_address(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0);
  const std::uint64_t address = thread.read(1, type);
  const bool to_space = instruction.has(Modifier::To);
  thread.write(0, to_space ? resolve_generic(address).address : generic_address({instruction.space, address}), type);
}

void test_space(Thread& thread) {
  const ScalarType type = thread.block().placement.module().address_bits == 32 ? ScalarType::U32 : ScalarType::U64;
  const StateSpace found = resolve_generic(thread.read(1, type)).space;
  thread.write(0, found == thread.instruction().space ? 1 : 0, ScalarType::Pred);
}

}  // namespace

void execute_memory(Thread& thread) {
  switch (thread.instruction().opcode) {
    case Opcode::Ld:
    case Opcode::Ldu:
      return load(thread);
    case Opcode::St:
      return store(thread);
    case Opcode::Atom:
    case Opcode::Red:
      return atomic(thread);
    case Opcode::Cp:
      return copy(thread);
    case Opcode::Mbarrier:
      return mbarrier(thread);
    case Opcode::Cvta:
      return convert_address(thread);
    case Opcode::Isspacep:
      return test_space(thread);
    default:
      thread.reject("not supported");
  }
}

}  // namespace warpfork::reference
