#include "rename_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace warpfork::ooo {

namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

}  // namespace

RenameMachine::RenameMachine(const RenameMachineSpec& spec)
    : spec_(spec),
      paths_(spec.paths),
      free_(spec.integer, spec.vector, spec.flags),
      strategy_(find_rename_strategy(spec.strategy).make(Pirat(paths_, free_, spec.architectural))),
      physical_(free_.registers()),
      expected_(std::max<std::size_t>(spec.architectural, x86::kFlags + 1)),
      generation_(free_.registers()) {
  for (unsigned r = 0; r < spec.architectural; ++r)
    committed_.push_back(strategy_->table().mapping(static_cast<x86::RegisterId>(r)));
  for (const x86::RegisterId r : registers())
    for (unsigned lane = 0; lane < kMaxLanes; ++lane)
      physical_[strategy_->table().holder(r, lane)][lane] = expected_[r][lane] = ++values_;
}

std::vector<x86::RegisterId> RenameMachine::registers() const {
  std::vector<x86::RegisterId> registers(spec_.architectural);
  std::iota(registers.begin(), registers.end(), x86::RegisterId{0});
  if (spec_.flags != 0) registers.push_back(x86::kFlags);
  return registers;
}

RenameOutcome RenameMachine::rename(PathId path, const std::vector<x86::RegisterId>& sources,
                                    const std::vector<x86::RegisterId>& destinations) {
  Item item;
  item.path = path;
  item.architectural = sources;
  const RenameOutcome outcome = strategy_->rename(sources, destinations, path, item.uop);
  if (outcome != RenameOutcome::Renamed) return outcome;
  const RenamedUop uop = item.uop;
  ++group_;
  add_merges(uop.merges_before());
  add(std::move(item), uop.read(), uop.written());
  add_merges(uop.merges_after());
  return outcome;
}

void RenameMachine::add_merges(std::span<const Merge> merges) {
  for (const Merge& merge : merges) {
    Item item;
    item.kind = Item::Kind::Merge;
    item.merge = merge;
    item.path = merge.path;
    add(std::move(item), std::array{merge.main(), merge.leading()}, {&merge.renaming, 1});
    ++merges_;
  }
}

void RenameMachine::add(Item item, std::span<const PhysicalRegister> reads, std::span<const Renaming> writes) {
  for (const PhysicalRegister read : reads) item.generations.push_back(generation_[read]);
  for (const Renaming& write : writes) ++generation_[write.physical];
  if (item.path != kNoPath) paths_.reference(item.path);
  item.group = group_;
  items_.push_back(std::move(item));
}

PathId RenameMachine::diverge(PathId from) {
  Item item;
  item.kind = Item::Kind::Branch;
  item.divergence = {from, paths_.predict_divergence(from), kNoPath};
  const PathId created = item.divergence.created;
  if (created == kNoPath) return kNoPath;
  strategy_->table().divergence_predicted();
  item.group = ++group_;
  items_.push_back(std::move(item));
  return created;
}

PathId RenameMachine::converge(PathId first, PathId second) {
  Item item;
  item.kind = Item::Kind::Join;
  item.convergence = {first, second, paths_.predict_convergence(first, second)};
  const PathId created = item.convergence.created;
  item.group = ++group_;
  if (created != kNoPath) items_.push_back(std::move(item));
  return created;
}

void RenameMachine::end(PathId path) {
  Item item;
  item.kind = Item::Kind::End;
  item.path = path;
  ++group_;
  paths_.end(path);
  add(std::move(item), {}, {});
}

void RenameMachine::start_again() {
  if (ended_ == 0 || !items_.empty() || paths_.start(ended_) == kNoPath) return;
  for (const x86::RegisterId r : registers())
    for_each_lane(ended_,
                  [&](unsigned lane) { expected_[r][lane] = physical_[strategy_->table().holder(r, lane)][lane]; });
  ended_ = 0;
}

PathId RenameMachine::resolve(PathId created, LaneMask stays) {
  const auto item = std::find_if(items_.begin(), items_.end(), [&](const Item& item) {
    return item.kind == Item::Kind::Branch && item.divergence.created == created;
  });
  require(item != items_.end(), fmt::format("no branch in flight created h{}", created));
  paths_.resolve(item->divergence, stays);
  // A convergence executes as soon as it can: its operands are masks only.
  for (Item& join : items_) {
    if (join.kind != Item::Kind::Join || paths_.resolved(join.convergence.created)) continue;
    if (paths_.resolved(join.convergence.first) && paths_.resolved(join.convergence.second))
      paths_.resolve(join.convergence);
  }
  return item->divergence.alternate;
}

bool RenameMachine::commit() {
  if (items_.empty()) return false;
  Item& item = items_.front();
  switch (item.kind) {
    case Item::Kind::Uop:
      commit_uop(item);
      break;
    case Item::Kind::Merge:
      commit_merge(item);
      break;
    case Item::Kind::Branch:
      if (!paths_.resolved(item.divergence.created)) return false;
      paths_.commit(item.divergence);
      strategy_->table().divergence_settled();
      break;
    case Item::Kind::Join:
      if (!paths_.resolved(item.convergence.created)) paths_.resolve(item.convergence);
      paths_.commit(item.convergence);
      break;
    case Item::Kind::End:
      ended_ |= paths_.mask(item.path);
      paths_.commit_end(item.path);
      break;
  }
  if (item.path != kNoPath) paths_.dereference(item.path);
  committed_group_ = item.group;
  items_.pop_front();
  return true;
}

void RenameMachine::commit_uop(const Item& item) {
  check_reads(item, item.uop.read());
  const LaneMask lanes = paths_.mask(item.path);
  for (unsigned lane = 0; lane < spec_.paths.lanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    for (unsigned i = 0; i < item.uop.source_count; ++i)
      require(physical_[item.uop.sources[i]][lane] == expected_[item.architectural[i]][lane],
              fmt::format("r{} in p{}: lane {} of h{} reads the value of another writer\n{}", item.architectural[i],
                          item.uop.sources[i], lane, item.path, strategy_->table().describe()));
  }
  for (const Renaming& write : item.uop.written()) {
    for (unsigned lane = 0; lane < spec_.paths.lanes; ++lane) {
      physical_[write.physical][lane] = ++values_;  // lanes that the path lost hold a value that no one must see
      if (lanes >> lane & 1) expected_[write.architectural][lane] = values_;
    }
    commit(write);
  }
}

void RenameMachine::commit_merge(const Item& item) {
  const Merge& merge = item.merge;
  check_reads(item, std::array{merge.main(), merge.leading()});
  const LaneMask lanes = merge.path == kNoPath ? merge.mask : paths_.mask(merge.path);
  for (unsigned lane = 0; lane < spec_.paths.lanes; ++lane)
    physical_[merge.renaming.physical][lane] = physical_[lanes >> lane & 1 ? merge.leading() : merge.main()][lane];
  commit(merge.renaming);
}

void RenameMachine::commit(const Renaming& renaming) {
  strategy_->table().commit(renaming);
  if (renaming.architectural == x86::kFlags) return;
  RegisterPair& mapping = committed_[renaming.architectural];
  require(mapping == renaming.before, fmt::format("r{} commits out of order", renaming.architectural));
  mapping = renaming.after;
}

void RenameMachine::check_reads(const Item& item, std::span<const PhysicalRegister> reads) const {
  for (std::size_t i = 0; i < reads.size(); ++i)
    require(generation_[reads[i]] == item.generations[i], fmt::format("p{} was released before it was read", reads[i]));
}

void RenameMachine::squash(std::size_t count) {
  while (!items_.empty() && items_.back().group != committed_group_ && count-- > 0)
    for (const std::uint64_t group = items_.back().group; !items_.empty() && items_.back().group == group;
         items_.pop_back())
      undo(items_.back());
}

void RenameMachine::undo(const Item& item) {
  switch (item.kind) {
    case Item::Kind::Uop:
      for (unsigned i = item.uop.destination_count; i-- > 0;) strategy_->table().undo(item.uop.destinations[i]);
      break;
    case Item::Kind::Merge:
      strategy_->table().undo(item.merge.renaming);
      break;
    case Item::Kind::Branch:
      paths_.undo(item.divergence);
      strategy_->table().divergence_settled();
      break;
    case Item::Kind::Join:
      paths_.undo(item.convergence);
      break;
    case Item::Kind::End:
      paths_.undo_end(item.path);
      break;
  }
  if (item.path != kNoPath) paths_.dereference(item.path);
}

void RenameMachine::flush() {
  while (!items_.empty() && items_.front().group == committed_group_) commit();
  squash(items_.size());
  for (unsigned r = 0; r < spec_.architectural; ++r)
    require(strategy_->table().mapping(static_cast<x86::RegisterId>(r)) == committed_[r],
            fmt::format("r{} is not what has committed\n{}", r, strategy_->table().describe()));
}

void RenameMachine::audit() const {
  if (!items_.empty() && items_.front().group == committed_group_) return;  // a µop is to release for its merges
  std::vector<unsigned> holders(free_.registers());
  const auto count = [&](PhysicalRegister physical) {
    if (physical != kNoRegister) ++holders[physical];
  };
  FreeList free = free_;
  for (const RegisterClass file : {RegisterClass::Integer, RegisterClass::Vector, RegisterClass::Flags})
    while (free.available(file) != 0) count(free.take(file));
  const auto count_both = [&](const RegisterPair& pair) {
    count(pair.main);
    count(pair.leading);
  };
  const Pirat& table = strategy_->table();
  for (unsigned r = 0; r < spec_.architectural; ++r) count_both(table.mapping(static_cast<x86::RegisterId>(r)));
  for (const PhysicalRegister version : table.flags().versions()) count(version);
  for (std::uint64_t i = table.flags().dropped().begin(); i < table.flags().dropped().end(); ++i)
    count(table.flags().dropped()[i]);
  for (const Item& item : items_) {
    if (item.kind == Item::Kind::Merge) count_both(item.merge.renaming.released);
    for (const Renaming& write : item.uop.written()) count_both(write.released);
  }
  for (std::size_t i = 0; i < holders.size(); ++i)
    require(holders[i] == 1, fmt::format("p{} is held {} times\n{}", i, holders[i], strategy_->table().describe()));
}

}  // namespace warpfork::ooo
