// Freestanding: one access of every kind, on buffers with names.
char source[4096] __attribute__((aligned(64)));
char target[4096] __attribute__((aligned(64)));
int indices[8] = {0, 3, 6, 9, 12, 15, 18, 21};

void every_kind(void);
__asm__(
    ".text\n.globl every_kind\n.type every_kind, @function\nevery_kind:\n"
    "movb source(%rip), %al\n"              // 0: load 1
    "movq %rax, target+8(%rip)\n"           // 1: store 8
    "addl $1, source+16(%rip)\n"            // 2: load and store 4
    "lock addl $1, source+32(%rip)\n"       // 3: the same, atomic
    "xchgq %rax, source+40(%rip)\n"         // 4: atomic without prefix
    "movdqu source+64(%rip), %xmm0\n"       // 5: load 16
    "vmovdqu source+128(%rip), %ymm1\n"     // 6: load 32
    "vmovdqu %ymm1, target+160(%rip)\n"     // 7: store 32
    "pushq source+256(%rip)\n"              // 8: load, then store on the stack
    "popq target+264(%rip)\n"               // 9: load from there, then store
    "vmovdqu indices(%rip), %ymm2\n"        // 10
    "vpcmpeqd %ymm3, %ymm3, %ymm3\n"        // 11
    "lea source(%rip), %rdx\n"              // 12
    "vpgatherdd %ymm3, (%rdx,%ymm2,4), %ymm4\n"  // 13: eight loads of 4
    "lea source(%rip), %rsi\n"              // 14
    "lea target(%rip), %rdi\n"              // 15
    "mov $3, %ecx\n"                        // 16
    "rep movsq\n"                           // 17: load and store 8, three times
    "xor %ecx, %ecx\n"                      // 18
    "rep stosb\n"                           // 19: not once
    "fldt source+512(%rip)\n"               // 20: load 10
    "fstpt target+512(%rip)\n"              // 21: store 10
    "ret\n");

__attribute__((force_align_arg_pointer)) void _start(void) {
  every_kind();
  __asm__ volatile("syscall" : : "a"(60), "D"(0) : "rcx", "r11", "memory");
  __builtin_unreachable();
}
