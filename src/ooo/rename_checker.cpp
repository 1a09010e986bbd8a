#include "ooo/rename_checker.h"

#include <fmt/format.h>

#include "base/error.h"
#include "x86/uop_text.h"

namespace warpfork::ooo {

namespace {

std::string describe(const CoreListener::Commit& commit) {
  return commit.table == nullptr ? std::string() : commit.table->describe();
}

}  // namespace

RenameChecker::Physical& RenameChecker::at(PhysicalRegister physical) {
  if (physical >= physical_.size()) physical_.resize(physical + 1u);
  return physical_[physical];
}

void RenameChecker::started(unsigned warp, const PathTable& paths, const Pirat* table) {
  if (warp >= warps_.size()) warps_.resize(warp + 1u);
  warps_[warp].lanes = paths.lanes();
  warps_[warp].table = table;
  if (table == nullptr) return;
  for (x86::RegisterId id = 0; id < x86::kRegisterCount; ++id) {
    warps_[warp].expected[id].fill(++values_);
    at(table->holder(id, 0)).values.fill(values_);
  }
}

/// A thread's first values are loaded to where its lane will look for them.
void RenameChecker::began(unsigned warp, LaneMask lanes) {
  const Pirat* const table = warps_[warp].table;
  if (table == nullptr) return;
  for (x86::RegisterId id = 0; id < x86::kRegisterCount; ++id)
    for_each_lane(lanes, [&](unsigned lane) {
      warps_[warp].expected[id][lane] = at(table->holder(id, lane)).values[lane] = ++values_;
    });
}

void RenameChecker::entered(const Entry& entry) {
  if (entry.table == nullptr) return;
  InFlight& uop = warps_[entry.warp].in_flight.emplace_back();
  uop.uop = entry.uop;
  uop.instruction = entry.instruction;
  uop.pc = entry.fetched.instruction == nullptr ? 0 : entry.fetched.instruction->pc;
  uop.lanes = entry.fetched.lanes;
  const auto read = [&](x86::RegisterId architectural, PhysicalRegister physical) {
    uop.reads.push_back({architectural, physical, at(physical).generation});
  };
  const auto write = [&](const Renaming& renaming) {
    ++at(renaming.physical).generation;
    uop.writes.push_back(renaming);
  };
  if (entry.merge != nullptr) {
    uop.merge = true;
    uop.selects_by_path = entry.merge->path != kNoPath;
    uop.mask = entry.merge->mask;
    read(entry.merge->renaming.architectural, entry.merge->main());
    read(entry.merge->renaming.architectural, entry.merge->leading());
    write(entry.merge->renaming);
    return;
  }
  if (entry.operation != nullptr) {
    const std::span<const x86::Uop> uops = entry.fetched.instruction->uops;
    uop.step = static_cast<std::size_t>(entry.operation - uops.data());
    uop.steps = uops.size();
  }
  for (unsigned i = 0; i < entry.renamed->source_count; ++i)
    read(entry.operation->sources[i], entry.renamed->sources[i]);
  for (const Renaming& renaming : entry.renamed->written()) write(renaming);
}

void RenameChecker::committed(const Commit& commit) {
  if (commit.table == nullptr) return;
  Warp& warp = warps_[commit.warp];
  check(!warp.in_flight.empty() && warp.in_flight.front().uop == commit.uop, [&] {
    return fmt::format("renaming: µop {} of warp {} commits out of program order:\n{}", commit.uop, commit.warp,
                       describe(commit));
  });
  const InFlight& uop = warp.in_flight.front();
  check_kept(uop, commit);
  if (uop.merge)
    commit_merge(uop, commit);
  else
    commit_operation(uop, commit);
  warp.in_flight.pop_front();
}

/// What a µop reads may not be given to another before it commits.
void RenameChecker::check_kept(const InFlight& uop, const Commit& commit) {
  for (const Read& read : uop.reads)
    check(at(read.physical).generation == read.generation, [&] {
      return fmt::format("renaming: µop {} at {:x} (warp {}) reads {} from p{}, which was released before:\n{}",
                         uop.uop, uop.pc, commit.warp, x86::name(read.architectural), read.physical, describe(commit));
    });
}

void RenameChecker::commit_operation(const InFlight& uop, const Commit& commit) {
  Warp& warp = warps_[commit.warp];
  ++uops_checked_;
  check(uop.lanes == commit.lanes, [&] {
    return fmt::format("renaming: µop {} at {:x} (warp {}) commits on a path of lanes {}, but {} take it:\n{}", uop.uop,
                       uop.pc, commit.warp, mask_text(commit.lanes, warp.lanes), mask_text(uop.lanes, warp.lanes),
                       describe(commit));
  });
  check_step(uop, commit);
  for (const Read& read : uop.reads)
    for_each_lane(commit.lanes, [&](unsigned lane) {
      const std::uint64_t held = at(read.physical).values[lane], own = warp.expected[read.architectural][lane];
      check(held == own, [&] {
        return fmt::format(
            "renaming: µop {} at {:x} (warp {}) reads {} of lane {} from p{}, which holds value {}, not {}:\n{}",
            uop.uop, uop.pc, commit.warp, x86::name(read.architectural), lane, read.physical, held, own,
            describe(commit));
      });
    });
  for (const Renaming& renaming : uop.writes) {
    at(renaming.physical).values.fill(++values_);  // in lanes that the path lost, a value that no one must read
    for_each_lane(commit.lanes, [&](unsigned lane) { warp.expected[renaming.architectural][lane] = values_; });
  }
}

void RenameChecker::check_step(const InFlight& uop, const Commit& commit) {
  if (uop.steps == 0) return;
  for_each_lane(commit.lanes, [&](unsigned lane) {
    std::size_t& next = warps_[commit.warp].step[lane];
    check(uop.step == next, [&] {
      return fmt::format("renaming: µop {} at {:x} (warp {}) is the {}. of its instruction, but lane {} is at {}:\n{}",
                         uop.uop, uop.pc, commit.warp, uop.step + 1, lane, next + 1, describe(commit));
    });
    next = (next + 1) % uop.steps;
  });
}

void RenameChecker::commit_merge(const InFlight& uop, const Commit& commit) {
  ++merges_checked_;
  const LaneMask leading = uop.selects_by_path ? commit.lanes : uop.mask;
  const Lanes main_values = at(uop.reads[0].physical).values, leading_values = at(uop.reads[1].physical).values;
  Lanes& merged = at(uop.writes[0].physical).values;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    merged[lane] = (leading >> lane & 1) != 0 ? leading_values[lane] : main_values[lane];
}

void RenameChecker::flushed(Cycle /*at*/, unsigned warp, std::uint64_t instruction) {
  std::deque<InFlight>& in_flight = warps_[warp].in_flight;
  while (!in_flight.empty() && in_flight.back().instruction == instruction) in_flight.pop_back();
}

}  // namespace warpfork::ooo
