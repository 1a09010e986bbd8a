#include "memory/dram_channel.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "memory/bit_field.h"

namespace warpfork::memory {

DramChannel::DramChannel(const DramSpec& spec)
    : spec_(spec),
      column_to_column_(std::max(spec.column_to_column, spec.burst_cycles)),
      read_to_write_(spec.cas_latency + spec.burst_cycles + 2 - spec.write_latency),
      write_to_read_(spec.write_latency + spec.burst_cycles + spec.write_to_read),
      write_to_precharge_(spec.write_latency + spec.burst_cycles + spec.write_recovery),
      row_to_write_(spec.row_to_column - std::min(spec.row_to_column, spec.write_latency + 1)),
      banks_(spec.banks),
      groups_(spec.bank_groups),
      nodes_(spec.scheduler_queue) {
  if (!std::has_single_bit(spec.banks) || spec.banks > 64 || !std::has_single_bit(spec.bank_groups) ||
      spec.bank_groups > spec.banks)
    throw Error("memory.dram.banks is {} and memory.dram.bank_groups {}; both must be powers of two, at most 64 banks",
                spec.banks, spec.bank_groups);
  if (spec.scheduler_queue == 0 || spec.burst_bytes == 0)
    throw Error("memory.dram.{} is 0; it must be at least 1",
                spec.scheduler_queue == 0 ? "scheduler_queue" : "burst_bytes");
  if (spec.cas_latency + spec.burst_cycles + 2 < spec.write_latency)
    throw Error("memory.dram.write_latency is {}, longer than a read", spec.write_latency);
  for (unsigned i = 0; i < spec.scheduler_queue; ++i) free_nodes_.push_back(spec.scheduler_queue - 1 - i);
}

void DramChannel::accept(const DramRequest& request, Cycle now) {
  delayed_.push({now + spec_.fixed_delay, request});
  ++in_flight_;
}

void DramChannel::pop_return() {
  data_.pop();
  --in_flight_;
}

bool DramChannel::tick(Tick tick, Cycle now) {
  bool moved = false;
  if (waiting_ & ~busy()) {
    assign();
    moved = true;
  }
  moved |= issue(tick);
  if (!delayed_.empty() && delayed_.front().ready <= now && queued_ < spec_.scheduler_queue) {
    enter_scheduler(delayed_.front().request);
    delayed_.pop();
    moved = true;
  }
  return moved;
}

void DramChannel::enter_scheduler(const DramRequest& request) {
  const std::uint32_t node = free_nodes_.back();
  free_nodes_.pop_back();
  nodes_[node] = {request, kNoNode};
  Bank& bank = banks_[request.bank];
  (bank.first == kNoNode ? bank.first : nodes_[bank.last].next) = node;
  bank.last = node;
  waiting_ |= bit(request.bank);
  ++queued_;
}

void DramChannel::assign() {
  const unsigned number = in_turn(waiting_ & ~busy());
  Bank& bank = banks_[number];
  bank.request = take_first_ready(bank, number);
  bank.bursts = (bank.request.bytes + spec_.burst_bytes - 1) / spec_.burst_bytes;
  if (bank.active && bank.open_row == bank.request.row) ++statistics_.row_hits;
  sort(number);
  turn_ = (turn_ + 1) & (spec_.banks - 1);
}

// Puts a bank whose request is new, or whose row has changed, into its set.
void DramChannel::sort(unsigned number) {
  const Bank& bank = banks_[number];
  to_activate_ &= ~bit(number);
  to_precharge_ &= ~bit(number);
  if (!bank.active) {
    to_activate_ |= bit(number);
  } else if (bank.open_row != bank.request.row) {
    to_precharge_ |= bit(number);
  } else {
    (bank.request.write ? to_write_ : to_read_) |= bit(number);
  }
}

DramRequest DramChannel::take_first_ready(Bank& bank, unsigned number) {
  std::uint32_t before = kNoNode, node = bank.first;
  while (node != kNoNode && nodes_[node].request.row != bank.open_row) {
    before = node;
    node = nodes_[node].next;
  }
  if (node == kNoNode) {
    before = kNoNode;
    node = bank.first;
  }
  const std::uint32_t after = nodes_[node].next;
  (before == kNoNode ? bank.first : nodes_[before].next) = after;
  if (after == kNoNode) bank.last = before;
  if (bank.first == kNoNode) waiting_ &= ~bit(number);
  free_nodes_.push_back(node);
  --queued_;
  return nodes_[node].request;
}

unsigned DramChannel::in_turn(std::uint64_t banks) const {
  const std::uint64_t from_turn = banks >> turn_ << turn_;
  return static_cast<unsigned>(std::countr_zero(from_turn != 0 ? from_turn : banks));
}

bool DramChannel::issue(Tick tick) {
  for (std::uint64_t rest = candidates(tick); rest != 0;) {
    const unsigned number = in_turn(rest);
    if (command_ready(number) <= tick) {
      if ((to_read_ | to_write_) & bit(number)) {
        issue_column(number, tick);
      } else {
        issue_row(number, tick);
      }
      return true;
    }
    rest &= ~bit(number);
  }
  return false;
}

// Banks whose next command the shared buses allow.
std::uint64_t DramChannel::candidates(Tick tick) const {
  std::uint64_t allowed = to_precharge_;
  if (tick >= activate_at_) allowed |= to_activate_;
  if (tick < column_at_) return allowed;
  if (tick >= read_at_) allowed |= to_read_;
  if (tick >= write_at_) allowed |= to_write_;
  return allowed;
}

// The tick from which the bank's next command may go out.
Tick DramChannel::command_ready(unsigned number) const {
  const Bank& bank = banks_[number];
  const Group& group = groups_[number & (spec_.bank_groups - 1)];
  if (to_read_ & bit(number)) return std::max({column_at_, group.column_at, read_at_, bank.read_at});
  if (to_write_ & bit(number)) return std::max({column_at_, group.column_at, write_at_, bank.write_at});
  if (to_activate_ & bit(number)) return std::max(activate_at_, bank.activate_at);
  return std::max(bank.precharge_at, group.precharge_at);
}

void DramChannel::issue_column(unsigned number, Tick tick) {
  Bank& bank = banks_[number];
  Group& group = groups_[number & (spec_.bank_groups - 1)];
  column_at_ = tick + column_to_column_;
  group.column_at = tick + spec_.column_to_column_group;
  if (bank.request.write) {
    read_at_ = tick + write_to_read_;
    bank.precharge_at = std::max(bank.precharge_at, tick + write_to_precharge_);
    ++statistics_.writes;
  } else {
    write_at_ = tick + read_to_write_;
    bank.precharge_at = std::max(bank.precharge_at, tick + spec_.burst_cycles);
    group.precharge_at = std::max(group.precharge_at, tick + spec_.read_to_precharge_group);
    ++statistics_.reads;
  }
  if (--bank.bursts != 0) return;
  to_read_ &= ~bit(number);
  to_write_ &= ~bit(number);
  if (bank.request.write) {
    --in_flight_;
  } else {
    data_.push({tick + spec_.cas_latency + 2, bank.request});  // one tick into, one out of the return queue
  }
}

void DramChannel::issue_row(unsigned number, Tick tick) {
  Bank& bank = banks_[number];
  if (bank.active) {
    bank.active = false;
    bank.activate_at = std::max(bank.activate_at, tick + spec_.precharge);
    ++statistics_.precharges;
  } else {
    bank.active = true;
    bank.open_row = bank.request.row;
    activate_at_ = tick + spec_.row_to_row;
    bank.read_at = tick + spec_.row_to_column;
    bank.write_at = tick + row_to_write_;
    bank.precharge_at = std::max(bank.precharge_at, tick + spec_.row_active);
    bank.activate_at = tick + spec_.row_cycle;
    ++statistics_.activates;
  }
  sort(number);
  turn_ = (number + 1) & (spec_.banks - 1);
}

Tick DramChannel::next_tick(Tick tick) const {
  Tick next = data_.empty() ? kNever : data_.front().ready;
  for (std::uint64_t rest = busy(); rest != 0; rest &= rest - 1)
    next = std::min(next, command_ready(static_cast<unsigned>(std::countr_zero(rest))));
  return next == kNever ? kNever : std::max(next, tick + 1);
}

void DramChannel::reset_clock() {
  check(idle(), [] { return std::string("dram: requests under way while the clock is reset"); });
  for (Bank& bank : banks_) bank.read_at = bank.write_at = bank.precharge_at = bank.activate_at = 0;
  for (Group& group : groups_) group = {};
  column_at_ = activate_at_ = read_at_ = write_at_ = 0;
}

}  // namespace warpfork::memory
