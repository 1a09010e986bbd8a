#include "lower/circles.h"

#include <algorithm>

#include "base/error.h"

namespace warpfork::lower {

namespace {

constexpr unsigned kDeepest = 1000;

}  // namespace

Circles::Circles(const ptx::Module& module, const ptx::Function& entry, Callees& callees)
    : module_(module), callees_(callees) {
  visit(entry);
}

std::optional<unsigned> Circles::of(const ptx::Function& function) const { return nodes_.at(&function).circle; }

Circles::Node& Circles::visit(const ptx::Function& function) {
  if (++depth_ > kDeepest)
    throw Error("{}:{}: error: function '{}' is called at the end of {} nested calls; more are not supported",
                module_.name, function.location.line, function.name, kDeepest);
  Node& node = nodes_[&function];
  node.number = node.lowest = static_cast<unsigned>(nodes_.size());
  open_.push_back(&node);
  for (const ptx::Function* callee : callees_.called_by(function)) {
    const auto known = nodes_.find(callee);
    if (callee == &function) node.calls_itself = true;
    if (known == nodes_.end())
      node.lowest = std::min(node.lowest, visit(*callee).lowest);
    else if (known->second.is_open)
      node.lowest = std::min(node.lowest, known->second.number);
  }
  if (node.lowest == node.number) close(node);
  --depth_;
  return node;
}

/// The root's component is what was opened since, and complete.
void Circles::close(const Node& root) {
  const bool is_circle = open_.back() != &root || root.calls_itself;
  const Node* closed = nullptr;
  do {
    Node& member = *open_.back();
    open_.pop_back();
    member.is_open = false;
    if (is_circle) member.circle = circles_;
    closed = &member;
  } while (closed != &root);
  if (is_circle) ++circles_;
}

}  // namespace warpfork::lower
