#include "lower/shared_functions.h"

#include <algorithm>
#include <optional>

#include "lower/stack_allocations.h"

namespace warpfork::lower {

namespace {

constexpr double kShort = 128;  // such a body is not much longer than its call, and what its end asks to find back
constexpr double kCall = 8;     // roughly what is left of the call of a shared function

bool has_parameter_without_size(const ptx::Function& function) {
  const auto lacks_size = [](const ptx::Variable& parameter) {
    return parameter.space == ptx::StateSpace::Param && parameter.bytes == 0;
  };
  return std::ranges::any_of(function.parameters, lacks_size) || std::ranges::any_of(function.returns, lacks_size);
}

}  // namespace

SharedFunctions::SharedFunctions(const ptx::Function& entry, Callees& callees, const Circles& circles,
                                 std::size_t most_instructions)
    : callees_(callees) {
  if (copied(entry) <= static_cast<double>(most_instructions)) return;
  any_ = std::ranges::none_of(behind_callees_, [&](const ptx::Function* function) {
    return allocates_on_stack(*function) || (function != &entry && has_parameter_without_size(*function));
  });
  if (!any_) return;
  for (const ptx::Function* function : behind_callees_) count(*function);
  part(circles, most_instructions);
}

double SharedFunctions::copied(const ptx::Function& function) {
  const auto [known, is_new] = functions_.try_emplace(&function);
  if (!is_new) return known->second.copied;  // 0 where a circle closes
  double instructions = static_cast<double>(function.body.size());
  for (const ptx::Function* callee : callees_.called_by(function)) {
    instructions += copied(*callee);
    ++functions_[callee].calls;
  }
  behind_callees_.push_back(&function);
  return functions_[&function].copied = instructions;
}

/// After what it calls has been counted.
void SharedFunctions::count(const ptx::Function& function) {
  Counts& counts = functions_[&function];
  counts.written = static_cast<double>(function.body.size());
  for (const ptx::Function* callee : callees_.called_by(function))
    counts.written += functions_[callee].is_shared ? kCall : functions_[callee].written;
  counts.is_shared = counts.calls > 1 && counts.written > kShort;
}

void SharedFunctions::part(const Circles& circles, std::size_t most_instructions) {
  std::map<unsigned, double> written;  // of all functions of the circle
  std::map<unsigned, std::set<const ptx::Function*>> entrances;
  for (const ptx::Function* function : behind_callees_) {
    const std::optional<unsigned> circle = circles.of(*function);
    if (circle) written[*circle] += functions_[function].written;
    for (const ptx::Function* callee : callees_.called_by(*function))
      if (const auto entered = circles.of(*callee); entered && entered != circle) entrances[*entered].insert(callee);
  }
  for (const auto& [circle, by] : entrances)
    if (written[circle] * static_cast<double>(by.size()) <= static_cast<double>(most_instructions))
      parted_.insert(circle);
}

}  // namespace warpfork::lower
