#include "divergence/pdom_stack.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "divergence/distinct_paths.h"

namespace warpfork {

void PdomStack::launch(SplitSlots slots, Pc entry, ActiveMask lanes) {
  slots_ = slots.data();
  launched_ = live_ = lanes;
  depth_ = 0;
  waits_ = false;
  if (lanes.any()) push({entry, kNoPc, lanes});
  expose_top();
}

bool PdomStack::advance(unsigned, std::span<const Path> given, Pc reconvergence) {
  const Entry& top = stack_[depth_ - 1];
  // A side's usual end: what follows comes to the same.
  if (given.size() == 1 && given[0].pc == top.reconvergence_pc && given[0].lanes == top.lanes) {
    --depth_;
    expose_top();
    return true;
  }
  const DistinctPaths paths(given, top_split());
  const Entry split = stack_[--depth_];
  remove(split.lanes - paths.lanes());
  Pc rpc = split.reconvergence_pc;
  if (paths.diverge() && reconvergence != kNoPc && reconvergence != rpc) {
    push({reconvergence, rpc, paths.lanes()});
    rpc = reconvergence;
  }
  for (std::size_t i = paths.paths().size(); i-- > 0;) {  // the first path ends up on top
    const Path& path = paths.paths()[i];
    if (path.pc != rpc) push({path.pc, rpc, path.lanes});
  }
  expose_top();
  return true;
}

bool PdomStack::wait(unsigned) {
  waits_ = true;
  return true;
}

bool PdomStack::release(unsigned) {
  waits_ = false;
  return true;
}

void PdomStack::push(const Entry& entry) {
  if (depth_ == stack_.size()) make_room();
  stack_[depth_++] = entry;
}

void PdomStack::make_room() {
  check(depth_ < kCapacity, [&] { return fmt::format("reconvergence stack overflows:\n{}", text_of(tables())); });
  stack_.resize(std::min<std::size_t>(std::max(2 * stack_.size(), std::size_t{4}), kCapacity));
}

void PdomStack::remove(ActiveMask exited) {
  if (exited.none()) return;
  live_ -= exited;
  unsigned kept = 0;
  for (unsigned i = 0; i < depth_; ++i) {
    stack_[i].lanes -= exited;
    if (stack_[i].lanes.any()) stack_[kept++] = stack_[i];
  }
  depth_ = kept;
}

void PdomStack::expose_top() {
  if (depth_ == 0) return;
  const Entry& top = stack_[depth_ - 1];
  WarpSplit& split = top_split();
  split.pc = top.pc;
  split.lanes = top.lanes;
  split.reconvergence_pc = top.reconvergence_pc;
  top_ = split.id;
}

std::vector<StateTable> PdomStack::tables() const {
  using enum StateTable::Kind;
  StateTable stack{"stack", {{"pc", ProgramCounter}, {"rpc", ProgramCounter}, {"lanes", Mask}, {"", Text}}, {}, {}};
  for (unsigned i = 0; i < depth_; ++i) {
    const bool is_top = i + 1 == depth_;
    const Pc pc = is_top ? slots_[i % kSplitsPerWarp].pc : stack_[i].pc;
    stack.rows.push_back({pc_text(pc), pc_text(stack_[i].reconvergence_pc),
                          stack_[i].lanes.to_string(mask_width(launched_)),
                          !is_top  ? ""
                          : waits_ ? "top, waits"
                                   : "top"});
  }
  return {std::move(stack)};
}

}  // namespace warpfork
