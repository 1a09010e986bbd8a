// Ends as its first argument says: "status" with 3, "crash" by SIGSEGV, "illegal" by an instruction of AVX-512, "exec"
// as another program, "fork" after a child has run, "gather" after a gather by ymm4; "signal" handles a signal that it
// sends itself.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int handled;
__attribute__((noinline)) void on_signal(int number) { handled = number; }
__attribute__((noinline)) void gather(void) {
  static int from[8];
  __asm__ volatile("vpcmpeqd %%ymm1, %%ymm1, %%ymm1\n\tvpxor %%ymm4, %%ymm4, %%ymm4\n\t"
                   "vpgatherdd %%ymm1, (%0,%%ymm4,4), %%ymm2" : : "r"(from) : "xmm1", "xmm2", "xmm4");
}
__attribute__((noinline)) void after_signal(void) { handled += 1; }

int main(int count, char** words) {
  const char* const wanted = count > 1 ? words[1] : "";
  if (!strcmp(wanted, "status")) return 3;
  volatile int* volatile nowhere = (int*)8;
  if (!strcmp(wanted, "crash")) *nowhere = 1;
  if (!strcmp(wanted, "illegal")) __asm__ volatile("vpxorq %%zmm0, %%zmm0, %%zmm0" : : : "xmm0");
  if (!strcmp(wanted, "gather")) gather();
  if (!strcmp(wanted, "exec")) execl("/bin/true", "true", (char*)0);
  if (!strcmp(wanted, "fork")) {
    if (fork() == 0) _exit(0);
    wait(0);
  }
  if (!strcmp(wanted, "signal")) {
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    after_signal();
    return handled == SIGUSR1 + 1 ? 0 : 1;
  }
  return 0;
}
