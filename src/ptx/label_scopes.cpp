#include "ptx/label_scopes.h"

#include <fmt/ranges.h>

#include <utility>

#include "base/text.h"

namespace warpfork::ptx {

namespace {

constexpr std::size_t kMaxLabelsInMessages = 8;

}  // namespace

std::string LabelScopes::define(const Token& token, Pc target, bool is_table) {
  std::string name(token.text);
  while (!taken_.insert(name).second) name = fmt::format("{}${}", token.text, ++copies_[std::string(token.text)]);
  if (!scopes_.back().labels.emplace(token.text, Label{name, target, is_table}).second)
    source_.fail(token.position, fmt::format("label '{}' is defined twice in this scope", token.text),
                 "rename one, or put one into braces of its own");
  scopes_.back().order.push_back(token.text);
  return name;
}

void LabelScopes::define_target(const Token& label) { define(label, static_cast<Pc>(function_.body.size()), false); }

std::string LabelScopes::define_table(const Token& label) { return define(label, kNoPc, true); }

void LabelScopes::use_target(const Token& label, std::size_t operand) {
  scopes_.back().uses.push_back({label, false, function_.body.size(), operand, {}});
}

void LabelScopes::use_table(const Token& label, std::size_t operand) {
  scopes_.back().uses.push_back({label, true, function_.body.size(), operand, {}});
}

void LabelScopes::use_in_table(const Token& label, const std::string& key, std::size_t entry) {
  scopes_.back().uses.push_back({label, false, 0, entry, key});
}

void LabelScopes::resolve(const Use& use, const Label& label) {
  if (use.wants_table != label.is_table)
    source_.fail(
        use.label.position,
        fmt::format("'{}' is {}", use.label.text, label.is_table ? "a table, not a branch target" : "no table"),
        label.is_table ? "a branch needs a label that stands before an instruction"
                       : "name a .branchtargets, .calltargets or .callprototype");
  if (!use.table.empty()) {
    function_.branch_targets[use.table][use.place] = {label.name, label.target};
  } else if (label.is_table) {
    function_.body[use.instruction].operands[use.place] = SymbolOperand{label.name, 0};
  } else {
    function_.body[use.instruction].operands[use.place] = LabelOperand{label.name, label.target};
  }
}

void LabelScopes::fail_undefined(const Use& use) const {
  std::vector<std::string> known;
  for (std::string_view name : scopes_.back().order)
    if (scopes_.back().labels.at(name).is_table == use.wants_table) known.emplace_back(name);
  const std::string_view what = use.wants_table ? "tables" : "labels";
  std::string remedy = fmt::format("this function has no {}", what);
  if (known.size() > kMaxLabelsInMessages)
    remedy =
        fmt::format("nearest {} of this function: {}", what, fmt::join(nearest_names(use.label.text, known), ", "));
  else if (!known.empty())
    remedy = fmt::format("{} of this function: {}", what, fmt::join(known, ", "));
  source_.fail(use.label.position, fmt::format("label '{}' is not defined", use.label.text), remedy);
}

void LabelScopes::close() {
  Scope& scope = scopes_.back();
  std::vector<Use> unresolved;
  for (Use& use : scope.uses) {
    if (const auto found = scope.labels.find(use.label.text); found != scope.labels.end())
      resolve(use, found->second);
    else if (scopes_.size() == 1)
      fail_undefined(use);
    else
      unresolved.push_back(std::move(use));
  }
  scopes_.pop_back();
  if (scopes_.empty()) return;
  auto& outer = scopes_.back().uses;
  outer.insert(outer.end(), std::make_move_iterator(unresolved.begin()), std::make_move_iterator(unresolved.end()));
}

}  // namespace warpfork::ptx
