#include "lower/code_motion.h"

#include <algorithm>

#include "lower/rematerialization.h"
#include "lower/sinking.h"

namespace warpfork::lower {

namespace {

/// Takes steps until there are enough registers, a step finds nothing to do, or too many in a row have gained nothing;
/// what is left is the best that was met. How many are alive at once then.
template <typename Motion>
unsigned improve(Motion motion, unsigned enough) {
  constexpr unsigned kMostRounds = 64;
  unsigned least = ~0u, useless = 0;
  for (unsigned rounds = 0;; ++rounds) {
    const unsigned alive = motion.most_alive();
    useless = alive < least ? 0 : useless + 1;
    least = std::min(least, alive);
    if (least <= enough) {
      motion.settle_on_present();
      return least;
    }
    if (useless == 0) motion.keep();
    if (useless == Motion::kPatience || rounds == kMostRounds || !motion.step()) break;
  }
  motion.settle_on_best();
  return least;
}

}  // namespace

void shorten_lives(ptx::Function& function, unsigned enough) {
  if (function.body.empty()) return;
  if (improve(Sinking(function), enough) <= enough) return;
  improve(Rematerialization(function), enough);
}

}  // namespace warpfork::lower
