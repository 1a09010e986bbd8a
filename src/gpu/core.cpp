#include "gpu/core.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "gpu/lane_organisation.h"
#include "gpu/launch_addresses.h"

namespace warpfork::gpu {

Core::Core(const MachineSpec& spec, unsigned number, memory::MemorySystem& memory)
    : spec_(spec),
      number_(number),
      memory_(memory),
      mechanism_(find_divergence_mechanism(spec.divergence.mechanism)),
      blocks_(warp_slots(spec.core)),
      registers_(spec.core, tells_lanes_apart(spec.core, mechanism_.lane_masks), mechanism_.regroups, blocks_),
      operations_(warp_slots(spec.core), registers_.scoreboard()),
      compaction_(warp_slots(spec.core), spec.divergence.compaction_cycles),
      conditions_(compaction_, operations_, registers_, spec.core),
      buffers_(spec.core, blocks_, conditions_),
      census_(number, warp_slots(spec.core), blocks_, buffers_.entries()),
      writeback_(registers_, operations_, buffers_, *this),
      lanes_(find_lane_organisation(spec.core.lanes.organisation).make(spec.core, pool_, writeback_)),
      issue_(spec.core, mechanism_.regroups, *lanes_, blocks_, buffers_),
      load_store_(spec.core, number, pool_, memory, writeback_),
      tables_(number, warp_slots(spec.core), pool_, load_store_, operations_),
      effects_(blocks_, registers_.homes(), compaction_, tables_, buffers_, census_),
      dispatch_(spec.core, number, conditions_.timings(), pool_, *lanes_, blocks_, registers_, operations_, buffers_,
                effects_),
      fetch_(spec.core, number, memory) {
  if (find_lane_organisation(spec.core.lanes.organisation).frees_warps) admission_.emplace(spec.core, lanes_->lanes());
}

void Core::begin_kernel(const simt::Launch& launch, const KernelTables& kernel, const Occupancy& fits, unsigned blocks,
                        report::LaunchListener& listener, Foresight foresight) {
  takes_part_ = true;
  listener.core_began({number_, &buffers_, &pool_});
  const LaunchAddresses addresses = launch_addresses(spec_, launch);
  fetch_.begin_kernel(addresses.code);
  dispatch_.begin_kernel(addresses.local_bytes, listener);
  lanes_->begin_kernel(kernel);
  if (admission_)
    admission_->begin_kernel(launch.threads_per_block(), {fits.registers_per_thread, fits.scalars_per_warp},
                             fits.shared_bytes);
  blocks_.begin_kernel(launch, blocks, mechanism_.of_core(spec_.divergence.options(), foresight));
  census_.begin_kernel(launch.threads_per_block(), blocks, listener);
  registers_.begin_kernel(kernel);
  conditions_.begin_kernel(*launch.program);
  issue_.begin_kernel(number_, listener);
  compaction_.begin_kernel(number_, listener);
  effects_.begin_kernel(listener);
  load_store_.begin_kernel(listener.observes_misses() ? &listener : nullptr);
  buffers_.begin_kernel(*launch.program);
  cycle_listener_ = listener.observes_cycles() ? &listener : nullptr;
  may_sleep_ = !(listener.observes_cycles() || listener.observes_stalls() || listener.observes_misses());
  asleep_ = false;
}

void Core::sit_out(report::LaunchListener& listener) {
  takes_part_ = false;
  listener.core_began({number_, &buffers_, &pool_});
}

void Core::end_kernel() {
  if (!takes_part_) return;
  check(empty(), [&] { return "a kernel ended while core " + std::to_string(number_) + " still ran:\n" + describe(); });
  census_.report();
  report_issue();
  lanes_->end_kernel();
  load_store_.end_kernel();
  fetch_.end_kernel();
  blocks_.end_kernel();
}

void Core::account_for_sleep(Cycle now) {
  const Cycle awake = buffers_.entries().clock();
  if (now <= awake) return;
  census_.count_sleep(now - awake);
  issue_.sleep(awake, now - awake);
}

void Core::catch_up(Cycle now) {
  account_for_sleep(now + 1);
  buffers_.set_clock(now + 1);
}

void Core::tell_so_far(Cycle now) {
  if (!takes_part_) return;
  catch_up(now);
  census_.tell_splits();
  report_issue();
}

void Core::cut_off(Cycle now) {
  if (!takes_part_) return;
  catch_up(now);
  census_.report();
  report_issue();
}

void Core::report_issue() {
  issue_.report();
  dispatch_.report(buffers_.entries().clock());
}

void Core::start_block(Dim3 index, Cycle now) {
  account_for_sleep(now + 1);
  asleep_ = false;
  const unsigned slot = blocks_.start(index, number_);
  if (admission_) admit(slot);
  buffers_.set_clock(now + 1);
  dispatch_.started(slot, index, now);
  effects_.started(slot);
}

void Core::admit(unsigned slot) {
  const unsigned first = blocks_.first_warp(slot);
  lanes_->place(first, admission_->admit(first));
  for (unsigned warp = first; warp < first + blocks_.warps_per_block(); ++warp)
    dispatch_.set_local_place(warp, admission_->local_place(warp));
}

[[gnu::always_inline]] inline void Core::begin_cycle() {
  account_for_sleep(now_);
  buffers_.forget_fresh();
  buffers_.set_clock(now_);
  if (!compaction_.idle()) buffers_.refresh_warps(compaction_.take_formed(now_));
}

[[gnu::noinline]] void Core::wake_up() { begin_cycle(); }

void Core::cycle(Cycle now) {
  now_ = now;
  if (!asleep_) begin_cycle();
  if (const MemoryRequest* response = memory_.response(number_)) take_response(*response, now);
  lanes_->cycle(load_store_, now);
  if (asleep_ && issue_.is_woken_by_lanes()) wake();
  if (asleep_) return retire();
  census_.count_busy_units(lanes_->room());
  buffers_.set_clock(now + 1);  // what changes from here on the schedulers see in the next cycle
  issue_.cycle(now, [&](unsigned entry) { dispatch_.dispatch(entry, now); });
  if (const std::optional<FetchUnit::Fetched> fetched = fetch_.take()) buffers_.decode(*fetched);
  effects_.serve_waiting_splits();
  fetch_.cycle(buffers_.entries(), buffers_.wanting_fetch(), now);
  retire();
  fall_asleep();
  if (cycle_listener_ != nullptr) cycle_listener_->cycled({now, number_, 0}, *this);
}

/// What is ahead of the lanes, if it has nothing to do before it is woken.
inline void Core::fall_asleep() {
  may_act_ = issue_.may_act();
  asleep_ = !may_act_ && may_sleep_ && !fetch_.busy(buffers_.entries().in(EntryState::Empty)) && compaction_.idle();
}

/// Warps of which nothing is under way any more make room.
void Core::retire() {
  blocks_.retire_if(operations_.storing(), [&](unsigned warp) {
    if (!operations_.drained(warp)) return false;
    if (asleep_) catch_up(now_);  // who counts lanes that hold warps has seen this cycle
    if (admission_) admission_->free_warp(warp);
    return true;
  });
}

void Core::take_response(const MemoryRequest& response, Cycle now) {
  if (response.kind == AccessKind::Instruction) {
    wake();
    fetch_.fill(response, now);
  } else if (load_store_.can_take_response()) {
    load_store_.take_response(response);
  } else {
    return;
  }
  memory_.pop_response(number_);
}

Cycle Core::next_event_of_units(Cycle now) const {
  if (!asleep_ && fetch_.busy(buffers_.entries().in(EntryState::Empty))) return now + 1;
  return std::min({lanes_->next_event(now), load_store_.next_event(now), compaction_.next_event()});
}

std::string Core::describe() const {
  return blocks_.describe(fmt::format("core {}, ", number_),
                          [&](unsigned warp, SplitId split) { return buffers_.wait_of(warp, split); });
}

}  // namespace warpfork::gpu
