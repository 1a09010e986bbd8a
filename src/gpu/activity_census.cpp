#include "gpu/activity_census.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/register_use.h"
#include "gpu/resident_block.h"
#include "ptx/module.h"

namespace warpfork::gpu {

using report::Operation;
using simt::InstructionKind;
using simt::MemorySpace;
using simt::TimingClass;

namespace {

std::optional<Operation> operation_of(TimingClass timing) {
  switch (timing) {
    case TimingClass::IntMul:
    case TimingClass::IntMad:
    case TimingClass::IntMul24:
    case TimingClass::IntMad24:
    case TimingClass::MatrixS8:
    case TimingClass::MatrixS4:
      return Operation::IntegerMultiply;
    case TimingClass::Fp32Add:
    case TimingClass::Fp32MinMax:
      return Operation::FloatAdd;
    case TimingClass::Fp32Mul:
      return Operation::FloatMultiply;
    case TimingClass::Fp32Mad:
    case TimingClass::MatrixF16:
    case TimingClass::MatrixTf32:
      return Operation::FloatMultiplyAdd;
    case TimingClass::Fp64Add:
    case TimingClass::Fp64MinMax:
    case TimingClass::Fp64Mul:
    case TimingClass::Fp64Mad:
    case TimingClass::MatrixF64:
      return Operation::Double;
    case TimingClass::Special:
      return Operation::Special;
    case TimingClass::IntDiv:
    case TimingClass::Fp32Div:
    case TimingClass::Fp64Div:
      return Operation::Division;
    case TimingClass::Shuffle:
      return Operation::Shuffle;
    case TimingClass::Memory:
      return Operation::Address;
    case TimingClass::Control:
      return std::nullopt;
    default:
      return Operation::Integer;
  }
}

bool may_be_shared(const simt::Instruction& instruction) {
  return instruction.space == MemorySpace::Shared || instruction.space == MemorySpace::Generic;
}

}  // namespace

ActivityCensus::ActivityCensus(const simt::Program& program, unsigned warp_size, bool by_groups,
                               const analysis::RegisterSet* scalar_file, AddRest add_rest)
    : program_(program),
      warp_size_(warp_size),
      by_groups_(by_groups),
      add_rest_(std::move(add_rest)),
      scalar_file_(scalar_file),
      issues_(program.code.size()) {
  for (const ptx::Instruction& instruction : program.function->body) {
    const analysis::RegisterUse use = analysis::registers_of(instruction);
    words_.push_back({words(use.reads), words(use.writes)});
  }
}

void ActivityCensus::issued(const report::IssueEvent& event) {
  if (event.cycle >= next_sample_) sample(event.cycle);
  const simt::Instruction& instruction = *event.step->instruction;
  Issues& at = issues_[event.pc];
  ++at.instructions;
  const unsigned threads = event.scalar ? event.executed.any() : event.executed.count();
  const unsigned side_by_side = event.scalar ? 1 : warp_size_;
  const unsigned slots = event.lane_slots != 0 ? event.lane_slots : side_by_side;
  at.threads += threads;
  at.slots += slots;
  at.paths += std::max(1u, event.places);
  at.register_slots += (by_groups_ ? slots : side_by_side) * std::max<std::size_t>(1, event.step->homes.size());
  if (threads == 0 || !may_be_shared(instruction)) return;
  const simt::MemoryAccess& access = event.block->access(*event.step);
  if (access.space == MemorySpace::Shared) at.shared_words += threads * ((access.bytes + 3u) / 4);
}

/// Whoever issues nothing ends no window: what the memory did meanwhile counts at the first issue behind it.
void ActivityCensus::sample(Cycle now) {
  report::ActivitySample sum;
  sum.activity = count();
  sum.activity.samples.clear();
  add_rest_(sum);
  for (; now >= next_sample_; next_sample_ = (sampled_.samples.size() + 1) * sampled_.window) add_sample(sampled_, sum);
}

ActivityCensus::Words ActivityCensus::words(std::span<const ptx::RegisterId> registers) const {
  Words sum;
  for (auto id = registers.begin(); id != registers.end(); ++id) {
    const unsigned bits = ptx::bits_of(program_.function->registers[*id].type);
    if (bits == 1 || std::find(registers.begin(), id, *id) != id) continue;
    const bool is_of_warp = scalar_file_ != nullptr && scalar_file_->contains(*id);
    (is_of_warp ? sum.of_warp : sum.of_places) += (bits + 31) / 32;
  }
  return sum;
}

void ActivityCensus::add(Pc pc, report::ActivityCount& sum) const {
  const simt::Instruction& instruction = program_.code[pc];
  const Issues& issues = issues_[pc];
  sum.instructions += issues.instructions;
  if (const std::optional<Operation> operation = operation_of(instruction.timing)) {
    const unsigned times = instruction.steps * simt::multiply_adds_of(instruction.timing);
    sum.operations[static_cast<unsigned>(*operation)] += times * issues.threads;
    sum.slots[static_cast<unsigned>(*operation)] += times * issues.slots;
  }
  const auto words = [&](const Words& of) {
    return issues.register_slots * of.of_places + issues.instructions * of.of_warp;
  };
  sum.register_reads += words(words_[pc].reads);
  sum.register_writes += words(words_[pc].writes);
  sum.results += issues.instructions * instruction.destination_count;
  if (instruction.ends_block || instruction.may_part()) {
    sum.block_ends += issues.instructions;
    sum.paths += issues.paths;
  }
  sum.shared_words += issues.shared_words;
}

report::ActivityCount ActivityCensus::count() const {
  report::ActivityCount sum;
  sum.window = sampled_.window;
  sum.samples = sampled_.samples;
  for (Pc pc = 0; pc < issues_.size(); ++pc) add(pc, sum);
  return sum;
}

}  // namespace warpfork::gpu
