#include "sweep/point.h"

#include "config/sweep_plan.h"

namespace warpfork::sweep {

std::string Point::label() const {
  std::string text = work();
  const char* separator = ": ";
  for (const auto& [axis, value] : axes) {
    text += separator + axis + " " + config::sweep_text(value);
    separator = ", ";
  }
  return text;
}

}  // namespace warpfork::sweep
