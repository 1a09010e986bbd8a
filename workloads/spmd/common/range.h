// Static division of work: thread by thread a contiguous part, sizes differing by at most one.
#pragma once

#include <cstdint>

namespace spmd {

struct Range {
  int begin, end;
};

// The part of 0 .. count - 1 that belongs to one of `parts`.
inline Range share(int count, int parts, int part) {
  return {static_cast<int>(std::int64_t{count} * part / parts),
          static_cast<int>(std::int64_t{count} * (part + 1) / parts)};
}

}  // namespace spmd
