// Which functions call one another in a circle: the strongly connected components of the call graph (Tarjan 1972).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "lower/callees.h"
#include "ptx/module.h"

namespace warpfork::lower {

/// Among the functions that an entry may reach, directly, by an alias, or through pointers.
class Circles {
 public:
  /// Throws Error, naming the function, where calls are nested deeper than a body can be put into another.
  Circles(const ptx::Module& module, const ptx::Function& entry, Callees& callees);

  /// The number of the function's circle; nothing if no call leads from its body back to it.
  std::optional<unsigned> of(const ptx::Function& function) const;

 private:
  struct Node {
    unsigned number = 0, lowest = 0;  // in the order of the visits; the lowest that is reached from here
    bool is_open = true;              // its component is not complete
    bool calls_itself = false;
    std::optional<unsigned> circle;
  };

  Node& visit(const ptx::Function& function);
  void close(const Node& root);

  const ptx::Module& module_;
  Callees& callees_;
  std::map<const ptx::Function*, Node> nodes_;  // looked up only: its order means nothing
  std::vector<Node*> open_;
  unsigned circles_ = 0, depth_ = 0;
};

}  // namespace warpfork::lower
