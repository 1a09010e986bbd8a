#include "ooo/rename/flag_versions.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpfork::ooo {

LaneMask FlagVersions::lanes_of(std::size_t version) const {
  return version == 0 ? ~LaneMask{0} : states_[versions_[version]].tag.lanes(paths_);
}

FlagVersions::Reads FlagVersions::read_by(LaneMask lanes) const {
  Reads reads;
  for (std::size_t i = versions_.size(); i-- > 0;) {
    const LaneMask held = lanes_of(i);
    if ((held & lanes) != 0 || (i == 0 && reads.count == 0)) reads.versions[reads.count++] = versions_[i];
    lanes &= ~held;
    if (lanes == 0 && reads.count != 0) break;
  }
  return reads;
}

Renaming FlagVersions::write(PathId path, PhysicalRegister physical) {
  Renaming renaming{x86::kFlags, path, physical, {}, {}, {}};
  states_[physical] = {{path, 0}, age_++};
  LaneMask unseen = paths_.living();  // lanes of which it is not certain that they read a newer version
  if (paths_.resolved(path)) unseen &= ~paths_.mask(path);
  std::size_t kept = versions_.size();
  for (std::size_t i = kept; i-- > 0;) {
    const RegisterTag& tag = states_[versions_[i]].tag;
    const LaneMask lanes = lanes_of(i);
    if ((lanes & unseen) != 0 && tag.path != path) {
      versions_[--kept] = versions_[i];
      if (tag.certain(paths_)) unseen &= ~lanes;
    } else {
      dropped_.push() = versions_[i];
      ++renaming.dropped;
    }
  }
  versions_.erase(versions_.begin(), versions_.begin() + static_cast<std::ptrdiff_t>(kept));
  versions_.push_back(physical);
  return renaming;
}

void FlagVersions::commit(const Renaming& renaming, FreeList& free) {
  states_[renaming.physical].tag = {kNoPath, paths_.mask(renaming.path)};
  for (unsigned i = 0; i < renaming.dropped; ++i) {
    free.give(dropped_[dropped_.begin()]);
    dropped_.drop_before(dropped_.begin() + 1);
  }
}

void FlagVersions::undo(const Renaming& renaming) {
  versions_.pop_back();
  for (unsigned i = 0; i < renaming.dropped; ++i) {
    const PhysicalRegister old = dropped_[dropped_.end() - 1];
    dropped_.drop_from(dropped_.end() - 1);
    const auto younger = std::ranges::find_if(
        versions_, [&](PhysicalRegister version) { return states_[version].age > states_[old].age; });
    versions_.insert(younger, old);
  }
}

std::string FlagVersions::describe() const {
  std::string text;
  for (const PhysicalRegister version : versions_) {
    const RegisterTag& tag = states_[version].tag;
    if (!text.empty())
      text += tag.path != kNoPath ? fmt::format(", h{} ", tag.path) : ", " + mask_text(tag.mask, paths_.lanes()) + " ";
    text += fmt::format("p{}", version);
  }
  return text;
}

}  // namespace warpfork::ooo
