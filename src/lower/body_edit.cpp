#include "lower/body_edit.h"

#include <algorithm>
#include <iterator>

#include "lower/label_places.h"

namespace warpfork::lower {

std::vector<Pc> BodyEdit::apply() {
  const auto by_place = [](const At& a, const At& b) { return a.first < b.first; };
  std::ranges::stable_sort(inserted_, by_place);
  std::ranges::stable_sort(appended_, by_place);
  for_each_label(function_.body, [&](ptx::LabelOperand& label) { targets_.push_back(label.target); });
  std::vector<ptx::Instruction> body;
  body.reserve(function_.body.size() + inserted_.size() + appended_.size());
  std::vector<Pc> place;  // of every old instruction, with what is inserted before it
  auto before = inserted_.begin(), behind = appended_.begin();
  for (Pc pc = 0; pc < function_.body.size(); ++pc) {
    place.push_back(static_cast<Pc>(body.size()));
    for (; before != inserted_.end() && before->first == pc; ++before) body.push_back(std::move(before->second));
    (removed_[pc] ? lost_ : body).push_back(std::move(function_.body[pc]));
    for (; behind != appended_.end() && behind->first == pc; ++behind) body.push_back(std::move(behind->second));
  }
  place.push_back(static_cast<Pc>(body.size()));
  move_labels(body, place);
  function_.body = std::move(body);
  return place;
}

void BodyEdit::revert() {
  std::vector<ptx::Instruction> body;
  body.reserve(removed_.size());
  auto lost = lost_.begin(), from = function_.body.begin();
  auto before = inserted_.begin(), behind = appended_.begin();
  for (Pc pc = 0; pc < removed_.size(); ++pc) {
    for (; before != inserted_.end() && before->first == pc; ++before) ++from;
    body.push_back(std::move(removed_[pc] ? *lost++ : *from++));
    for (; behind != appended_.end() && behind->first == pc; ++behind) ++from;
  }
  auto target = targets_.begin();
  for_each_label(body, [&](ptx::LabelOperand& label) { label.target = *target++; });
  function_.body = std::move(body);
}

}  // namespace warpfork::lower
