// Whether two runs of the same work left the same behind: a mechanism may change the time, never the result.
#pragma once

#include <optional>
#include <string>

#include "process/outcome.h"

namespace warpfork::simulation {

/// How the second run's standard output, exit status or buffers differ from the first one's: the mechanism and the
/// first place; nothing if they do not. Where kernels printed (CUDA orders none of it between threads) lines may come
/// in another order.
///
/// Printed sample:
///   buffer 'out' differs at byte 64: 0x07 under 'pdom', 0x05 under 'multi-path'
struct OutputDifference {
  std::string text;
  bool is_of_numbers = false;  // lines of the standard output are alike but for numbers, as those that tell times are
};
std::optional<OutputDifference> output_difference(const std::string& first_name, const process::Outcome& first,
                                                  const std::string& second_name, const process::Outcome& second);

}  // namespace warpfork::simulation
