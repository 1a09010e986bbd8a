// How programs check themselves: a line for each expectation that does not hold.
#pragma once

#include <cstdio>

static int failures = 0;
#define EXPECT(condition)                                 \
  do {                                                    \
    if (!(condition)) {                                   \
      std::printf("line %d: %s\n", __LINE__, #condition); \
      ++failures;                                         \
    }                                                     \
  } while (0)
