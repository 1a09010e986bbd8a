// Library code of which there is one version for all processors, between entry and return of `body`.
#include <stdlib.h>

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

__attribute__((noinline)) long body(const char* text) {
  static int numbers[100];
  long found = 0;
  for (int i = 0; i < 100; ++i) numbers[i] = 3 * i;
  srand48(1);
  for (int i = 0; i < 50; ++i) {
    const int wanted = (int)(lrand48() % 300);
    found += bsearch(&wanted, numbers, 100, sizeof numbers[0], compare) != 0;
  }
  return found + strtol(text, 0, 10);
}

int main(void) { return body("12345") > 0 ? 0 : 1; }
