// The inverse transforms of H.264 in one dimension, for blocks of 4 x 4 and 8 x 8 (ITU-T H.264, 8.5.12.2 and 8.5.13).
#pragma once

#include "../common/check.h"

namespace idct {

__host__ __device__ inline void transform(int (&line)[4]) {
  const int sum = line[0] + line[2], difference = line[0] - line[2];
  const int low = (line[1] >> 1) - line[3], high = line[1] + (line[3] >> 1);
  line[0] = sum + high;
  line[1] = difference + low;
  line[2] = difference - low;
  line[3] = sum - high;
}

__host__ __device__ inline void transform(int (&line)[8]) {
  int even[4] = {line[0], line[2], line[4], line[6]};  // they are transformed as a line of 4
  const int a = line[5] - line[3] - line[7] - (line[7] >> 1);
  const int b = line[1] + line[7] - line[3] - (line[3] >> 1);
  const int c = line[7] - line[1] + line[5] + (line[5] >> 1);
  const int d = line[3] + line[5] + line[1] + (line[1] >> 1);
  const int odd[4] = {d - (a >> 2), (b >> 2) - c, b + (c >> 2), a + (d >> 2)};
  transform(even);
  for (int i = 0; i < 4; ++i) {
    line[i] = even[i] + odd[i];
    line[7 - i] = even[i] - odd[i];
  }
}

// What a coefficient of 64 becomes where nothing is rounded away: the basis functions of the standard, times 64.
constexpr int kBasis4[4][4] = {{64, 64, 64, 64}, {64, 32, -32, -64}, {64, -64, -64, 64}, {32, -64, 64, -32}};
constexpr int kBasis8[8][8] = {{64, 64, 64, 64, 64, 64, 64, 64},     {96, 80, 48, 24, -24, -48, -80, -96},
                               {64, 32, -32, -64, -64, -32, 32, 64}, {80, -24, -96, -48, 48, 96, 24, -80},
                               {64, -64, -64, 64, 64, -64, -64, 64}, {48, -96, 24, 80, -80, -24, 96, -48},
                               {32, -64, 64, -32, -32, 64, -64, 32}, {24, -48, 80, -96, 96, -80, 48, -24}};

// Fails unless the transform turns every single coefficient into its basis function.
template <int kSide>
void check_transform(const int (&basis)[kSide][kSide]) {
  for (int coefficient = 0; coefficient < kSide; ++coefficient) {
    int line[kSide] = {};
    line[coefficient] = 64;
    transform(line);
    workload::expect_equal("basis function", std::vector<int>(line, line + kSide),
                           std::vector<int>(basis[coefficient], basis[coefficient] + kSide));
  }
}

}  // namespace idct
