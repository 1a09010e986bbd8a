// Gangs, workers and vectors, of one warp and of four, and sums at each level.
#include <openacc.h>
#include <stdio.h>

enum { kRows = 12, kColumns = 200 };

static int items[kRows][kColumns];
static int sums[kRows];

int main(void) {
  int total = 0, wrong = 0;
#pragma acc data create(items) copyout(sums)
  {
#pragma acc parallel loop gang num_gangs(5) num_workers(3) vector_length(32) present(items)
    for (int i = 0; i < kRows; ++i) {
#pragma acc loop worker vector
      for (int k = 0; k < kColumns; ++k) items[i][k] = i + k;
    }
#pragma acc parallel loop gang num_gangs(5) vector_length(128) reduction(+ : total) present(items, sums)
    for (int i = 0; i < kRows; ++i) {
      int sum = 0;
#pragma acc loop vector reduction(+ : sum)
      for (int k = 0; k < kColumns; ++k) sum += items[i][k];
      sums[i] = sum;
      total += sum;
    }
  }
  const int first = kColumns * (kColumns - 1) / 2;  // a row's sum is this and its number for each column
  for (int i = 0; i < kRows; ++i) wrong += sums[i] != first + i * kColumns;
  const int right = wrong == 0 && total == kRows * first + kRows * (kRows - 1) / 2 * kColumns &&
                    acc_get_device_type() == acc_device_nvidia;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
