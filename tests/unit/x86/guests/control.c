// Freestanding: calls, recursion, loops, indirect jumps and calls, repeated string instructions, and an instruction
// across a page's end. It runs the same on every processor, so that it can be held against single steps.
typedef unsigned long word;

static volatile word sink;
static char from[64], to[64];

static word fibonacci(word n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static word twice(word n) { return 2 * n; }
static word square(word n) { return n * n; }

static word select(word n) {
  switch (n % 7) {
    case 0: return 3;
    case 1: return sink;
    case 2: return n * 5;
    case 3: return n - 1;
    case 4: return n ^ 9;
    case 5: return n >> 1;
    default: return 8;
  }
}

static void fill_and_copy(word count) {
  void *target = to, *source = from;
  word left = count;
  __asm__ volatile("rep stosb" : "+D"(target), "+c"(left) : "a"('x') : "memory");
  target = to;
  left = count;
  __asm__ volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(left) : : "memory");
}

// Several instructions lie across ends of pages: each of 10 bytes behind 4090 others.
void across_pages(void);
__asm__(
    ".text\n.p2align 12\n.skip 4090, 0x90\n.globl across_pages\n.type across_pages, @function\nacross_pages:\n"
    "push %rax\nmovabs $0x1122334455667788, %rax\nadd $1, %rax\npop %rax\nret\n"
    ".p2align 12\n");

__attribute__((force_align_arg_pointer)) void _start(void) {
  word (*functions[])(word) = {twice, square, select, fibonacci};
  __asm__ volatile("" : "+m"(functions));
  for (word n = 0; n < 40; ++n) sink += functions[n & 3](n & 7) + select(n);
  for (word count = 0; count < 20; ++count) fill_and_copy(count);
  for (int n = 0; n < 5; ++n) across_pages();
  __asm__ volatile("syscall" : : "a"(60), "D"(0) : "rcx", "r11", "memory");
  __builtin_unreachable();
}
