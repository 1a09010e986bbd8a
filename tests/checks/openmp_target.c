// A sum, a count under a lock and a string, on the device.
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { kItems = 1000 };

int main(void) {
  int items[kItems], sum = 0, entered = 0, length = 0, on_host = 1;
  char text[13] = "twelve bytes";
  for (int i = 0; i < kItems; ++i) items[i] = i;
#pragma omp target teams distribute parallel for simd reduction(+ : sum) map(tofrom : sum) map(to : items)
  for (int i = 0; i < kItems; ++i) sum += items[i];
#pragma omp target parallel num_threads(4) map(tofrom : entered, length, on_host) map(to : text)
  {
#pragma omp critical
    entered += 1;
#pragma omp barrier
#pragma omp single
    {
      length = (int)strlen(text);
      on_host = omp_is_initial_device();
    }
  }
  const int right = sum == kItems * (kItems - 1) / 2 && entered == 4 && length == 12 && !on_host;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
