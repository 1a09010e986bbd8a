#include "gpu/scalar_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "ptx/operand_walk.h"
#include "simt/execution_error.h"

namespace warpfork::gpu {

using simt::Instruction;

namespace {

constexpr std::string_view kRemedy =
    "this is a fault of the classification (analysis::Uniformity), not of the program: run without it "
    "(core.scalarize=off)";

/// Of a row of 32-bit or of 64-bit lanes.
std::uint64_t in_lane(const simt::WarpContext& warp, std::uint32_t row, bool wide, unsigned lane) {
  const std::size_t bytes = wide ? 8 : 4;
  std::uint64_t value = 0;
  std::memcpy(&value, warp.registers + row + lane * bytes, bytes);
  return value;
}

}  // namespace

ScalarChecker::ScalarChecker(const simt::Launch& launch)
    : program_(*launch.program),
      rows_(*program_.function, program_.allocation ? &*program_.allocation : nullptr),
      own_(program_.allocation ? program_.register_numbers.size() : 0),
      units_(own_ + 2 * program_.function->registers.size()),
      kept_(units_ * launch.warps_per_block()),
      uses_(*program_.function) {}

void ScalarChecker::start() { std::ranges::fill(kept_, 0); }

/// Of the register's value, the first. Only what is allocated and lies in the scalar file shares some: predicates have
/// a bit of each thread, to which what is one for the warp is written.
std::size_t ScalarChecker::unit(const Step& step, Id id) const {
  const bool has_place = program_.allocation && !rows_.is_predicate(id);
  return step.warp * units_ +
         (has_place ? program_.allocation->index_of(program_.allocation->places[id]) : own_ + 2 * id);
}

std::uint64_t ScalarChecker::kept(const Step& step, Id id) const {
  const std::size_t first = unit(step, id);
  if (rows_.is_predicate(id) || !rows_.is_wide(id)) return kept_[first];
  return kept_[first] | std::uint64_t{kept_[first + 1]} << 32;
}

void ScalarChecker::keep(const Step& step, Id id, std::uint64_t value) {
  const std::size_t first = unit(step, id);
  kept_[first] = static_cast<std::uint32_t>(value);
  if (!rows_.is_predicate(id) && rows_.is_wide(id)) kept_[first + 1] = static_cast<std::uint32_t>(value >> 32);
}

std::uint64_t ScalarChecker::value(const simt::WarpContext& warp, unsigned lane, Id id) const {
  const std::uint32_t place = rows_.place(id);
  if (rows_.is_predicate(id)) return warp.predicates[place] >> lane & 1u;
  return in_lane(warp, place, rows_.is_wide(id), lane);
}

void ScalarChecker::before(const Step& step, simt::BlockContext& block) const {
  const std::span<const Id> reads = uses_[step.pc].reads;
  const std::size_t guards = step.instruction->guard == Instruction::kNoPredicate ? 0 : 1;  // it stands last
  for (std::size_t i = 0; i < reads.size(); ++i)
    read(step, block, reads[i], i + guards < reads.size() ? step.executed : step.active);
  if (step.instruction->scalar) read_special(step, block);
}

void ScalarChecker::read(const Step& step, simt::BlockContext& block, Id id, ActiveMask lanes) const {
  if (is_scalar(id)) {
    const std::uint64_t kept = this->kept(step, id);
    lanes.for_each([&](unsigned lane) {
      const std::uint64_t own = value(block.warp(step.warp, lane / simt::kRowLanes), lane % simt::kRowLanes, id);
      if (own != kept)
        fail(step, block, lane,
             fmt::format("scalar register {} holds {:#x}, and the thread's own value is {:#x}: it has two versions",
                         name(id), kept, own));
    });
  } else if (step.instruction->scalar) {
    equal(step, block, id, lanes, "reads");
  }
}

/// The value that all the lanes have in the register.
std::uint64_t ScalarChecker::equal(const Step& step, simt::BlockContext& block, Id id, ActiveMask lanes,
                                   std::string_view verb) const {
  std::uint64_t first = 0;
  lanes.for_each([&](unsigned lane) {
    const std::uint64_t own = value(block.warp(step.warp, lane / simt::kRowLanes), lane % simt::kRowLanes, id);
    if (lane == lanes.lowest()) first = own;
    if (own != first)
      fail(step, block, lane,
           fmt::format("{} {} {} as {:#x}, and lane {} as {:#x}",
                       step.instruction->scalar ? "scalar instruction" : "an instruction", verb, name(id), own,
                       lanes.lowest(), first));
  });
  return first;
}

void ScalarChecker::read_special(const Step& step, simt::BlockContext& block) const {
  const auto check_row = [&](const simt::SpecialRow& row) {
    const auto at = [&](unsigned lane) {
      return in_lane(block.warp(step.warp, lane / simt::kRowLanes), row.offset, row.wide, lane % simt::kRowLanes);
    };
    step.executed.for_each([&](unsigned lane) {
      const unsigned lowest = step.executed.lowest();
      if (at(lane) != at(lowest))
        fail(step, block, lane,
             fmt::format("scalar instruction reads a special register as {:#x}, and lane {} as {:#x}", at(lane), lowest,
                         at(lowest)));
    });
  };
  for (const ptx::Operand& operand : program_.function->body[step.pc].operands)
    ptx::walk(operand, [&](const ptx::Operand& part) {
      const auto* special = part.as<ptx::SpecialRegisterOperand>();
      if (special == nullptr) return;
      for (const simt::SpecialRow& row : program_.specials)
        if (row.name == *special) check_row(row);
    });
}

void ScalarChecker::after(const Step& step, simt::BlockContext& block) {
  if (step.executed.none()) return;
  for (const Id id : uses_[step.pc].writes) {
    if (is_scalar(id))
      keep(step, id, equal(step, block, id, step.executed, "writes"));
    else if (step.instruction->scalar)
      fail(step, block, step.executed.lowest(),
           fmt::format("scalar instruction writes {}, a register of each thread", name(id)));
  }
}

void ScalarChecker::fail(const Step& step, simt::BlockContext& block, unsigned lane, const std::string& cause) const {
  simt::fail(*step.instruction, block.warp(step.warp, lane / simt::kRowLanes), lane % simt::kRowLanes, cause, kRemedy);
}

}  // namespace warpfork::gpu
