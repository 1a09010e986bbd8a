// The instructions of one warp from fetch to commit: the fetch buffer, and what is behind it.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "ooo/address_queue.h"
#include "ooo/branch_record.h"
#include "ooo/fetched.h"
#include "ooo/numbered_queue.h"

namespace warpfork::ooo {

/// Instructions are numbered on, and so are the records of those that have a role. The younger part of the window, up
/// to what take() has taken, is the fetch buffer; it counts µops.
class InstructionWindow {
 public:
  /// `buffer`: µops of the fetch buffer; `depth`: cycles from fetch to rename.
  InstructionWindow(unsigned buffer, unsigned depth) : buffer_(buffer), depth_(depth) {}

  std::uint64_t begin() const { return instructions_.begin(); }
  std::uint64_t end() const { return instructions_.end(); }
  bool empty() const { return instructions_.empty(); }
  const Fetched& operator[](std::uint64_t number) const { return instructions_[number]; }
  Fetched& operator[](std::uint64_t number) { return instructions_[number]; }
  const Fetched& oldest() const { return instructions_[begin()]; }
  const Fetched& youngest() const { return instructions_[end() - 1]; }
  Fetched& youngest() { return instructions_[end() - 1]; }

  /// Whether the fetch buffer takes an instruction of so many µops. One of more than it holds it takes alone.
  bool has_room(unsigned uops) const { return buffered_ == 0 || buffered_ + uops <= buffer_; }
  /// `instruction`: null where paths meet or part.
  Fetched& push(const x86::StaticInstruction* instruction, LaneMask lanes, PathId path, Role role, Cycle now) {
    Fetched& fetched = instructions_.push_new();
    fetched.instruction = instruction;
    fetched.lanes = lanes;
    fetched.addresses = addresses_.end();
    fetched.path = path;
    fetched.role = role;
    fetched.decoded = now + depth_;
    if (instruction != nullptr) fetched.uops = static_cast<std::uint32_t>(instruction->uops.size());
    buffered_ += fetched.uops;
    return fetched;
  }
  /// Of the youngest instruction, whose role is not Plain.
  BranchRecord& push_branch();
  /// Of the youngest instruction: its lanes have executed these.
  void push_addresses(const ExecutedByLane& executed) {
    Fetched& fetched = youngest();
    if (!fetched.instruction->accesses.empty())
      fetched.repeats = addresses_.append(*fetched.instruction, fetched.lanes, executed);
  }

  /// Number of the oldest instruction in the fetch buffer.
  std::uint64_t next() const { return taken_; }
  bool has_decoded(Cycle now) const { return taken_ < end() && instructions_[taken_].decoded <= now; }
  void take() { buffered_ -= instructions_[taken_++].uops; }

  /// Its role is not Plain.
  BranchRecord& branch(const Fetched& fetched) { return branches_[fetched.branch]; }
  const BranchRecord& branch(const Fetched& fetched) const { return branches_[fetched.branch]; }
  /// Null: it has no role.
  const BranchRecord* branch_of(const Fetched& fetched) const {
    return fetched.role == Role::Plain ? nullptr : &branch(fetched);
  }
  const AddressQueue& addresses() const { return addresses_; }

  void drop_oldest() {
    const std::uint64_t number = begin();
    const Fetched& fetched = instructions_[number];
    if (fetched.role != Role::Plain) branches_.drop_before(fetched.branch + 1);
    instructions_.drop_before(number + 1);
    addresses_.drop_before(empty() ? addresses_.end() : instructions_[number + 1].addresses);
  }
  void drop_youngest();

 private:
  unsigned buffer_, depth_;
  NumberedQueue<Fetched> instructions_;
  NumberedQueue<BranchRecord> branches_;
  AddressQueue addresses_;
  std::uint64_t taken_ = 0;
  unsigned buffered_ = 0;  // µops in the fetch buffer
};

}  // namespace warpfork::ooo
