// Which functions of a large kernel have one body for all their calls.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "lower/callees.h"
#include "lower/circles.h"
#include "ptx/module.h"

namespace warpfork::lower {

/// None as long as the entry with a copy of a body for every call is no longer than a limit, which small kernels never
/// reach: there copies cost less than calls. Beyond it, those that are called in several places and are long, what is
/// copied into them included. So the code grows with that of the module, no longer with the number of ways through it.
class SharedFunctions {
 public:
  /// `most_instructions`: the limit. Nothing is shared where something allocates on the stack, which recursive
  /// functions cannot do, either, or has a parameter of no size, which no body has room for.
  SharedFunctions(const ptx::Function& entry, Callees& callees, const Circles& circles, std::size_t most_instructions);

  bool any() const { return any_; }
  bool contains(const ptx::Function& function) const { return functions_.at(&function).is_shared; }
  /// Whether functions that call one another in a circle have bodies for each of them by which it is entered, so that
  /// there is one way out and threads that have entered together meet there. They have unless these would be longer
  /// than the limit.
  bool parts_by_entrance(unsigned circle) const { return parted_.contains(circle); }

 private:
  struct Counts {
    double copied = 0;   // instructions, with everything copied that it calls; beyond any integer in some modules
    double written = 0;  // with what is not shared copied
    unsigned calls = 0;  // places where it is called
    bool is_shared = false;
  };

  double copied(const ptx::Function& function);
  void count(const ptx::Function& function);
  void part(const Circles& circles, std::size_t most_instructions);

  Callees& callees_;
  std::map<const ptx::Function*, Counts> functions_;  // looked up only: its order means nothing
  std::vector<const ptx::Function*> behind_callees_;  // each behind those that it calls, but for circles
  std::set<unsigned> parted_;
  bool any_ = false;
};

}  // namespace warpfork::lower
