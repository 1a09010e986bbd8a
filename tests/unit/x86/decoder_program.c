// A program whose machine code the decoder's tests read whole, with all of glibc and libgomp that is linked into it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kCount = 4096 };
static double values[kCount];
static int keys[kCount];

static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(int argc, char** argv) {
  double sum = argc;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < kCount; ++i) {
    values[i] = exp(-i * 1e-3) * sin(i) + sqrt(i);
    keys[i] = (i * 7919) % kCount;
    sum += values[keys[i]];
  }
  qsort(keys, kCount, sizeof keys[0], by_value);
  printf("%s %Lf %d %zu\n", argv[0], (long double)sum, keys[17], strlen(argv[0]));
  return 0;
}
