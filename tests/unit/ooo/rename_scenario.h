// Runs a worked example of renaming, from text.
#pragma once

#include <string>

namespace warpfork::ooo {

/// Commands, one a line; # begins a comment. Prints the µops in the order in which they enter the pipeline.
///   strategy NAME, lanes N, registers ARCHITECTURAL PHYSICAL
///   start MASK                       h0
///   uop PATH [rD …] <- [rS …] NAME   renames a µop; blocks of one
///   block                            the µops renamed until the next `block` are one rename block
///   branch PATH                      predicted divergent: the buop and the path it creates
///   resolve PATH MASK                the buop that created PATH: who stays on it
///   meet PATH PATH                   the cuop
///   commit N                         so many of the oldest µops
///   squash N, flush                  so many of the youngest, all that is in flight
///   show TEXT                        prints TEXT and the PIRAT
std::string run_rename(const std::string& commands);

}  // namespace warpfork::ooo
