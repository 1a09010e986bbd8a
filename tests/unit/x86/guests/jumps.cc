// MODE: leaves calls otherwise than by their returns. `probe` is called from one function, so that it is always as deep.
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>

#define APART __attribute__((noinline, noclone))

static volatile long sum;
static jmp_buf place;
static ucontext_t outer, inner;
static char stacks[2][1 << 16];
static int turns;

extern "C" APART void probe() { sum = sum + 1; }

APART static void jump(int calls) {
  if (calls == 0 && sum >= 0) longjmp(place, 1);
  if (calls != 0) jump(calls - 1);
  sum = sum + 1;
}
APART static void jumping() {
  for (turns = 0; turns < 6; ++turns) {
    if (setjmp(place) == 0 && turns % 2 == 1) jump(turns);
    volatile int steps[] = {1, 2, 3};
    for (int step = 0; step < 3; ++step) sum = sum + steps[step];
    probe();
  }
}

APART static void raise_error(int calls) {
  if (calls == 0 && sum >= 0) throw calls;
  if (calls != 0) raise_error(calls - 1);
  sum = sum + 1;
}
APART static void throwing() {
  for (int turn = 0; turn < 6; ++turn) {
    try {
      if (turn % 2 == 1) raise_error(turn);
    } catch (int) {
      sum = sum + 1;
    }
    probe();
  }
}

APART static void suspend(int calls) {
  if (calls == 0)
    swapcontext(&inner, &outer);
  else
    suspend(calls - 1);
  sum = sum + 1;
}
static void other_stack() {
  for (int turn = 0; turn < 6; ++turn) suspend(turn);
}
APART static void switching() {
  getcontext(&inner);
  inner.uc_stack.ss_sp = stacks[0];
  inner.uc_stack.ss_size = sizeof stacks[0];
  inner.uc_link = &outer;
  makecontext(&inner, other_stack, 0);
  for (turns = 0; turns < 6; ++turns) {
    swapcontext(&outer, &inner);
    probe();
  }
}

static void handle(int) { sum = sum + 1; }
APART static void interrupted() {
  stack_t stack = {};
  stack.ss_sp = stacks[1];
  stack.ss_size = sizeof stacks[1];
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = handle;
  for (int turn = 0; turn < 6; ++turn) {
    action.sa_flags = turn % 2 == 0 ? SA_ONSTACK : 0;
    sigaction(SIGUSR1, &action, nullptr);
    raise(SIGUSR1);
    probe();
  }
}

int main(int, char** words) {
  if (std::strcmp(words[1], "longjmp") == 0) jumping();
  if (std::strcmp(words[1], "throw") == 0) throwing();
  if (std::strcmp(words[1], "stacks") == 0) switching();
  if (std::strcmp(words[1], "signals") == 0) interrupted();
  return 0;
}
