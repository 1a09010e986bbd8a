#include "lower/circles.h"

#include <algorithm>

#include "ptx/call_parts.h"

namespace warpfork::lower {

Circles::Circles(const ptx::Module& module, const ptx::Function& entry, Callees& callees)
    : module_(module), callees_(callees) {
  visit(entry);
}

std::optional<unsigned> Circles::of(const ptx::Function& function) const { return nodes_.at(&function).circle; }

Circles::Node& Circles::visit(const ptx::Function& function) {
  Node& node = nodes_[&function];
  node.number = node.lowest = static_cast<unsigned>(nodes_.size());
  open_.push_back(&node);
  for (const ptx::Function* callee : called_by(function)) {
    const auto known = nodes_.find(callee);
    if (callee == &function) node.calls_itself = true;
    if (known == nodes_.end())
      node.lowest = std::min(node.lowest, visit(*callee).lowest);
    else if (known->second.is_open)
      node.lowest = std::min(node.lowest, known->second.number);
  }
  if (node.lowest == node.number) close(node);
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

std::vector<const ptx::Function*> Circles::called_by(const ptx::Function& function) {
  std::vector<const ptx::Function*> called;
  for (const ptx::Instruction& instruction : function.body) {
    if (instruction.opcode != ptx::Opcode::Call) continue;
    const ptx::CallParts call = parts_of(instruction);
    if (!call.function) {
      const std::vector<const ptx::Function*> any = callees_.of(instruction, function);
      called.insert(called.end(), any.begin(), any.end());
    } else if (const ptx::Function* callee = module_.find_function(call.function->name); callee && !callee->is_entry) {
      called.push_back(callee);
    }
  }
  return called;
}

}  // namespace warpfork::lower
