// Runs a worked example of divergence and convergence on both tables, from text.
#pragma once

#include <string>

namespace warpfork::ooo {

/// Commands, one a line; # begins a comment. Paths are named as the tables name them; masks have lane 0 rightmost.
///   lanes N, entries N             the Pathtable
///   start MASK PC                  threads begin
///   diverge PATH PC                the branch is predicted divergent, the front end goes on at PC
///   resolve PATH MASK PC           the buop that created PATH: who stays on it; where the others go
///   commit PATH                    the buop or cuop that created PATH
///   meet PATH PC                   the path arrives at PC, where the convergence detector finds another one
///   resolve PATH                   the cuop that created PATH
///   fetch PATH, retire PATH        a µop of PATH is in flight, has committed
///   show TEXT                      prints TEXT and both tables
std::string run_paths(const std::string& commands);

}  // namespace warpfork::ooo
